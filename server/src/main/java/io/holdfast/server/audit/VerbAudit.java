package io.holdfast.server.audit;

import io.holdfast.server.audit.AuditEntry.What;
import io.holdfast.server.security.Principal;
import io.holdfast.server.security.Refusal;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns the replies to verbs into entries of the audit. Thread-safe; never waits for I/O.
 *
 * <p>Verbs repeat: an attempt of a granted ticket returns the same grant again, and a release may
 * be sent twice. So the grants that went through this server are remembered until they end, and
 * each is one entry. The memory is for the audit alone: nothing else depends on it, and a server
 * that has lost it serves on. A client that moves to another server in the middle of a hold is
 * known there from its next attempt on.
 *
 * <p>Denials of one caller are recorded {@value #DENIALS_A_SECOND} times a second at most, the
 * others are counted: a caller without rights must not be able to push everything else out of the
 * files.
 */
public final class VerbAudit {

  static final int DENIALS_A_SECOND = 10;

  private static final int MAX_GRANTS = 200_000;
  private static final int MAX_CALLERS = 1000;
  private static final String NOBODY = "unknown";
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  /** Looks whether a token is granted, at the store. */
  @FunctionalInterface
  public interface HoldCheck {
    /** Returns whether the token is granted, or nothing if the store did not reply. */
    Optional<Boolean> isGranted(Resource lock, long token);
  }

  private record Grant(Ticket ticket, long token, String who, long ends, boolean taken) {

    Grant until(long later) {
      return new Grant(ticket, token, who, later, taken);
    }
  }

  /** Denials of one caller in the present second. */
  private static final class Denials {
    long second;
    int recorded;
    long skipped;
  }

  private final Consumer<AuditEntry> log;
  private final LongSupplier nanoTime;
  private final ReentrantLock lock = new ReentrantLock();
  // Guarded by the lock.
  private final Map<Ticket.Id, Grant> grants = new HashMap<>();
  private final Map<String, Denials> denials =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Denials> eldest) {
          return size() > MAX_CALLERS;
        }
      };

  /**
   * Creates the audit of one server.
   *
   * @param log receives the entries, usually {@link AuditLog#record}
   * @param nanoTime a monotonic clock
   */
  public VerbAudit(Consumer<AuditEntry> log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
  }

  /** After an attempt that the store replied to. */
  public void attempted(Principal principal, Ticket ticket, Standing standing) {
    if (standing instanceof Standing.Granted granted
        && remember(principal, ticket, granted.token(), granted.validFor())) {
      record(What.GRANTED, principal.name(), ticket, granted.token(), "");
    }
  }

  /** After a verb that failed. Only what the store refused is in the audit. */
  public void failed(Principal principal, Ticket ticket, EngineException failure) {
    if (failure instanceof EngineException.Refused) {
      record(What.REFUSED, principal.name(), ticket, 0, String.valueOf(failure.getMessage()));
    }
  }

  /** After a renewal that the store replied to. */
  public void renewed(Principal principal, Ticket ticket, Renewal renewal) {
    if (renewal instanceof Renewal.Renewed renewed) {
      extend(ticket.id(), renewed.validFor());
    } else if (renewal instanceof Renewal.Gone gone) {
      gone(principal, ticket, gone);
    }
  }

  private void gone(Principal principal, Ticket ticket, Renewal.Gone gone) {
    if (gone.cause() == Renewal.Cause.REVOKED) {
      // The operator's call has its own entry; the release may still follow.
      markTaken(ticket.id());
      return;
    }
    Optional<Grant> grant = forget(ticket.id());
    String why =
        gone.cause() == Renewal.Cause.SESSION_OVER
            ? "its session with the store ended"
            : "a renewal found it gone: its lease had ended, or its record was deleted";
    grant.ifPresent(each -> record(What.LAPSED, principal.name(), ticket, each.token(), why));
  }

  /** After a release that the store replied to. */
  public void left(Principal principal, Ticket ticket, Left left) {
    long now = nanoTime.getAsLong();
    Optional<Grant> grant = forget(ticket.id());
    long token = grant.map(Grant::token).orElse(0L);
    if (left == Left.HOLDING) {
      record(What.RELEASED, principal.name(), ticket, token, "");
    } else if (left == Left.NOTHING && grant.isPresent() && !grant.get().taken()) {
      if (grant.get().ends() - now <= 0) {
        record(What.LAPSED, principal.name(), ticket, token, "its lease ended before its release");
      } else {
        record(
            What.RELEASED,
            principal.name(),
            ticket,
            token,
            "nothing of it was left: an earlier release got no reply, or it was taken away");
      }
    }
  }

  /** After a grant was turned into a record that outlives its client, if it was. */
  public void settled(Principal principal, Ticket ticket, boolean settled, Duration keep) {
    Optional<Grant> grant = settled ? forget(ticket.id()) : Optional.empty();
    grant.ifPresent(
        each ->
            record(
                What.RELEASED,
                principal.name(),
                ticket,
                each.token(),
                "its record is kept for " + DurationText.of(keep)));
  }

  /** After an operator's call to revoke a grant. */
  public void revoked(
      Principal principal,
      Resource name,
      long token,
      String reason,
      EngineInspector.Verdict verdict) {
    operated(What.REVOKED, principal, name, token, reason, verdict);
  }

  /** After an operator's call to evict a grant. */
  public void evicted(
      Principal principal,
      Resource name,
      long token,
      String reason,
      EngineInspector.Verdict verdict) {
    if (verdict == EngineInspector.Verdict.DONE) {
      forgetToken(name, token);
    }
    operated(What.EVICTED, principal, name, token, reason, verdict);
  }

  private void operated(
      What what,
      Principal principal,
      Resource name,
      long token,
      String reason,
      EngineInspector.Verdict verdict) {
    Optional<Resource> its = Optional.of(name);
    log.accept(
        verdict == EngineInspector.Verdict.DONE
            ? AuditEntry.of(what, principal.name(), its, token, "", reason)
            : AuditEntry.of(
                What.REFUSED,
                principal.name(),
                its,
                token,
                "",
                "not " + what.word() + ", as that token was not granted any more: " + reason));
  }

  /**
   * After a call was turned away.
   *
   * @param principal the caller, if its token was valid
   * @param from where the request came from, such as the client's address
   */
  public void denied(
      Optional<Principal> principal, Optional<Resource> name, String from, Refusal refusal) {
    String who = principal.map(Principal::name).orElse(NOBODY);
    long skipped = skippedOrNegative(who);
    if (skipped >= 0) {
      String more = skipped == 0 ? "" : "; " + skipped + " denials before it were not recorded";
      log.accept(
          AuditEntry.of(
              What.DENIED, who, name, 0, from, refusal.status() + ": " + refusal.detail() + more));
    }
  }

  /** Returns how many were skipped before this one, or -1 to skip this one too. */
  private long skippedOrNegative(String who) {
    long second = Math.floorDiv(nanoTime.getAsLong(), SECOND);
    lock.lock();
    try {
      Denials its = denials.computeIfAbsent(who, key -> new Denials());
      if (its.second != second) {
        its.second = second;
        its.recorded = 0;
      }
      if (its.recorded >= DENIALS_A_SECOND) {
        its.skipped++;
        return -1;
      }
      its.recorded++;
      long skipped = its.skipped;
      its.skipped = 0;
      return skipped;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Records holds that ended silently, because their clients died. For a thread of the server, now
   * and then: it may wait for the store.
   */
  public void sweep(HoldCheck check) {
    for (Grant grant : overdue()) {
      Optional<Boolean> granted = check.isGranted(grant.ticket().resource(), grant.token());
      if (granted.isPresent() && forgetIfSame(grant) && !granted.get() && !grant.taken()) {
        record(
            What.LAPSED,
            grant.who(),
            grant.ticket(),
            grant.token(),
            "its lease ended without a renewal here, or it was released at another server");
      }
    }
  }

  private List<Grant> overdue() {
    long now = nanoTime.getAsLong();
    lock.lock();
    try {
      List<Grant> overdue = new ArrayList<>();
      for (Grant grant : grants.values()) {
        if (grant.ends() - now <= 0) {
          overdue.add(grant);
        }
      }
      return overdue;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether this grant is new. */
  private boolean remember(Principal principal, Ticket ticket, long token, Duration validFor) {
    long ends = nanoTime.getAsLong() + validFor.toNanos();
    lock.lock();
    try {
      @Nullable Grant known = grants.get(ticket.id());
      boolean isNew = known == null || known.token() != token;
      if (!isNew || grants.size() < MAX_GRANTS) {
        grants.put(
            ticket.id(), new Grant(ticket, token, principal.name(), ends, /* taken= */ false));
      }
      return isNew;
    } finally {
      lock.unlock();
    }
  }

  private void extend(Ticket.Id id, Duration validFor) {
    long ends = nanoTime.getAsLong() + validFor.toNanos();
    lock.lock();
    try {
      grants.computeIfPresent(id, (key, grant) -> grant.until(ends));
    } finally {
      lock.unlock();
    }
  }

  private void markTaken(Ticket.Id id) {
    lock.lock();
    try {
      grants.computeIfPresent(
          id,
          (key, grant) ->
              new Grant(
                  grant.ticket(), grant.token(), grant.who(), grant.ends(), /* taken= */ true));
    } finally {
      lock.unlock();
    }
  }

  private Optional<Grant> forget(Ticket.Id id) {
    lock.lock();
    try {
      return Optional.ofNullable(grants.remove(id));
    } finally {
      lock.unlock();
    }
  }

  private boolean forgetIfSame(Grant grant) {
    lock.lock();
    try {
      return grants.remove(grant.ticket().id(), grant);
    } finally {
      lock.unlock();
    }
  }

  private void forgetToken(Resource name, long token) {
    lock.lock();
    try {
      grants
          .values()
          .removeIf(each -> each.ticket().resource().equals(name) && isSame(each.token(), token));
    } finally {
      lock.unlock();
    }
  }

  /** An operator may have seen the token of a hand-over of the same grant. */
  private static boolean isSame(long granted, long seen) {
    return Token.grant(granted) == Token.grant(seen);
  }

  private void record(What what, String who, Ticket ticket, long token, String reason) {
    log.accept(
        AuditEntry.of(
            what, who, Optional.of(ticket.resource()), token, ticket.owner().toString(), reason));
  }
}
