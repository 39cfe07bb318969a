package io.holdfast.redis.layout;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;

/** Refusals for records that this client must not or cannot use. */
public final class ForeignRecords {

  private final Refusals refusals;

  /** Creates the refusals of one store. */
  public ForeignRecords(Refusals refusals) {
    this.refusals = refusals;
  }

  /** Returns the refusal of a bucket that was written by a newer client. */
  public Refused newerLayout(Ticket ticket, String version) {
    return new Refused(
        about(ticket)
            + " is stored in layout hf"
            + version
            + ", and this client knows hf1: use a newer client");
  }

  /** Returns the refusal of a resource whose key belongs to another program. */
  public Refused inTheWay(Ticket ticket, String type) {
    return new Refused(about(ticket) + " cannot be taken: " + foreignKey(ticket.resource(), type));
  }

  /** As above, for an inspector. */
  public Refused inTheWay(Resource resource, String type) {
    return new Refused(resource + " cannot be shown: " + foreignKey(resource, type));
  }

  private static String foreignKey(Resource resource, String type) {
    return "the key "
        + key(resource, "l")
        + " is a "
        + type
        + " that Holdfast did not write; it was left untouched. Move it, or use another namespace";
  }

  /** Returns the refusal of another key of a foreign type; the server does not say which. */
  public Refused otherKey(Ticket ticket, Refused why) {
    return new Refused(
        about(ticket)
            + " cannot be taken: "
            + tag(ticket.resource())
            + " or a key like "
            + key(ticket.resource(), "*")
            + " is not as Holdfast writes it; it was left untouched. Move it",
        why);
  }

  private String about(Ticket ticket) {
    return refusals.about(ticket);
  }

  private static String key(Resource resource, String part) {
    return tag(resource) + ':' + part + ':' + resource;
  }

  private static String tag(Resource resource) {
    return Keys.tagText(Keys.bucket(Keys.path(resource)));
  }
}
