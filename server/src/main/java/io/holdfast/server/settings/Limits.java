package io.holdfast.server.settings;

import io.holdfast.spi.support.Bounds;

/**
 * How much of the service one principal may use.
 *
 * @param connections open WebSockets and event streams
 * @param waiting tickets that wait in a line
 * @param queue verbs and calls without a reply yet
 * @param body bytes in the body of one request
 */
public record Limits(int connections, int waiting, int queue, int body) {

  /** The limits of a service that was told none. */
  public static final Limits DEFAULTS = new Limits(20_000, 100_000, 10_000, 1 << 20);

  private static final int MOST = 100_000_000;
  private static final int LEAST_BODY = 1024;

  public Limits {
    Bounds.require("connections", connections, 1, MOST);
    Bounds.require("waiting", waiting, 1, MOST);
    Bounds.require("queue", queue, 1, MOST);
    Bounds.require("body", body, LEAST_BODY, MOST);
  }
}
