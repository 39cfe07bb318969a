package io.holdfast.redis;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;

/** What only Redis has to say to those that are refused. */
final class RedisRefusals {

  private final Refusals refusals;

  RedisRefusals(Refusals refusals) {
    this.refusals = refusals;
  }

  Refused layout(Ticket ticket, String version) {
    return new Refused(
        about(ticket)
            + " is in a layout hf"
            + version
            + ", and this client knows hf1: use a newer client");
  }

  Refused foreign(Ticket ticket, String type) {
    return new Refused(about(ticket) + " cannot be taken: " + inTheWay(ticket.resource(), type));
  }

  Refused foreign(Resource resource, String type) {
    return new Refused(resource + " cannot be shown: " + inTheWay(resource, type));
  }

  private static String inTheWay(Resource resource, String type) {
    return "the key "
        + key(resource, "l")
        + " is there as a "
        + type
        + " that Holdfast did not write; it was left untouched. Move it away, or use another"
        + " namespace";
  }

  /** One of the other keys of the resource has a foreign type; the server does not say which. */
  Refused foreignBeside(Ticket ticket, Refused why) {
    return new Refused(
        about(ticket)
            + " cannot be taken: "
            + tag(ticket.resource())
            + " or a key like "
            + key(ticket.resource(), "*")
            + " is not as Holdfast writes it; it was left untouched. Move it away",
        why);
  }

  Refused lease(Ticket ticket, long quarantineMillis) {
    return new Refused(
        about(ticket)
            + " was asked for with a lease of "
            + ticket.lease().toMillis()
            + " ms, which is not shorter than the quarantine of "
            + quarantineMillis
            + " ms: in the strict profile it must be, or a failover lets two in");
  }

  private String about(Ticket ticket) {
    return refusals.about(ticket);
  }

  private static String key(Resource resource, String part) {
    return tag(resource) + ':' + part + ':' + resource;
  }

  private static String tag(Resource resource) {
    return Layout.tagText(Layout.bucket(Layout.path(resource)));
  }
}
