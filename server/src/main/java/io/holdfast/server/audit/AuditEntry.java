package io.holdfast.server.audit;

import io.holdfast.spi.Resource;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * One line of the audit.
 *
 * @param number rises with every entry of a server, also when it is started again; pages use it
 * @param who the principal, or the service itself as {@value #SERVICE}
 * @param lock empty only where there is none, such as a request without a valid token
 * @param token the grant's token; 0 for none
 * @param owner the label of the ticket's owner, may be empty
 * @param reason why, in words; may be empty
 */
public record AuditEntry(
    long number,
    Instant time,
    What what,
    String who,
    Optional<Resource> lock,
    long token,
    String owner,
    String reason) {

  /** The name of the service itself as {@link #who}. */
  public static final String SERVICE = "holdfast";

  /** What happened. */
  public enum What {
    /** A ticket was granted. */
    GRANTED,
    /** A holder left. */
    RELEASED,
    /** A hold ended without a release: its lease or its session was over. */
    LAPSED,
    /** The store refused an attempt, for example for its shape. */
    REFUSED,
    /** An operator asked a holder to release. */
    REVOKED,
    /** An operator removed a grant. */
    EVICTED,
    /** A caller had no valid token, not the right, or was above a limit. */
    DENIED,
    /** Entries are missing here: they came faster than they could be written. */
    DROPPED;

    /** Returns the word in the files. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what a word in the files stands for. */
    public static Optional<What> of(String word) {
      for (What what : values()) {
        if (what.word().equals(word)) {
          return Optional.of(what);
        }
      }
      return Optional.empty();
    }
  }

  /** Creates an entry that has no number and no time yet: the log gives both. */
  public static AuditEntry of(
      What what, String who, Optional<Resource> lock, long token, String owner, String reason) {
    return new AuditEntry(0, Instant.EPOCH, what, who, lock, token, owner, reason);
  }

  AuditEntry at(long itsNumber, Instant itsTime) {
    return new AuditEntry(itsNumber, itsTime, what, who, lock, token, owner, reason);
  }
}
