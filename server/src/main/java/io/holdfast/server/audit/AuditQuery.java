package io.holdfast.server.audit;

import io.holdfast.spi.support.Bounds;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a page of the audit is asked for.
 *
 * @param before only entries with a smaller number: the {@link AuditPage#next} of the page before
 * @param limit how many entries, 1 to {@value #MAX_LIMIT}
 * @param what only these
 * @param who only this principal
 * @param namespace only locks of this namespace
 * @param prefix only locks whose names begin with this; empty: entries without a lock as well
 * @param since only entries of this time or later
 * @param visible what the caller may see
 */
public record AuditQuery(
    Optional<Long> before,
    int limit,
    Optional<AuditEntry.What> what,
    Optional<String> who,
    Optional<String> namespace,
    String prefix,
    Optional<Instant> since,
    Predicate<AuditEntry> visible) {

  /** The largest page. */
  public static final int MAX_LIMIT = 1000;

  public AuditQuery {
    Bounds.require("limit", limit, 1, MAX_LIMIT);
  }

  /** Returns the query for the newest entries of any kind. */
  public static AuditQuery newest(int limit) {
    return new AuditQuery(
        Optional.empty(),
        limit,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        Optional.empty(),
        entry -> true);
  }

  /** Returns the query for the entries before this number. */
  public AuditQuery before(long number) {
    return new AuditQuery(Optional.of(number), limit, what, who, namespace, prefix, since, visible);
  }

  /** Returns the query for what the caller may see. */
  public AuditQuery visibleTo(Predicate<AuditEntry> test) {
    return new AuditQuery(before, limit, what, who, namespace, prefix, since, test);
  }

  boolean selects(AuditEntry entry) {
    return before.map(number -> entry.number() < number).orElse(true)
        && what.map(entry.what()::equals).orElse(true)
        && who.map(entry.who()::equals).orElse(true)
        && namespace
            .map(its -> entry.lock().map(lock -> lock.namespace().equals(its)).orElse(false))
            .orElse(true)
        && (prefix.isEmpty()
            || entry.lock().map(lock -> lock.name().startsWith(prefix)).orElse(false))
        && since.map(time -> !entry.time().isBefore(time)).orElse(true)
        && visible.test(entry);
  }

  /**
   * Returns whether all entries before this one are too old. Times may go back with the clock;
   * numbers do not, and none is less than its time in microseconds.
   */
  boolean isPastSince(AuditEntry entry) {
    return since
        .map(time -> entry.number() < ChronoUnit.MICROS.between(Instant.EPOCH, time))
        .orElse(false);
  }
}
