package io.holdfast.redis;

import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;

/** A ticket of this client that waits, or is about to. */
final class Bell {

  /** How the text of a bell begins whose message may say that the ticket is in. */
  static final String GRANTS = "!";

  final long number;
  final String channel;
  final Ticket ticket;

  /** What hangs there for the last attempt. */
  volatile Hung hung;

  /** When the store forgets the ticket unless it is asked again. */
  volatile long until;

  /** How often channels had been armed when the last attempt was about to be sent. */
  volatile long armedBefore;

  /** One verb a ticket at a time: nobody else changes it meanwhile. */
  volatile boolean listened;

  Bell(long number, String channel, Ticket ticket, Wake wake) {
    this.number = number;
    this.channel = channel;
    this.ticket = ticket;
    this.hung = new Hung(number, 1, wake);
  }

  void wake() {
    hung.wake.wake();
  }

  /**
   * One attempt's bell.
   *
   * @param attempt which of the ticket's attempts it is
   */
  record Hung(long number, long attempt, Wake wake) {

    /** What the store keeps of it. */
    String text() {
      return number + "." + attempt;
    }
  }
}
