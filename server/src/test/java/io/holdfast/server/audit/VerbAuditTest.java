package io.holdfast.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.server.security.Principal;
import io.holdfast.server.security.Refusal;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** On the engine in memory, with time in the test's hand. */
class VerbAuditTest {

  private static final Resource LOCK = new Resource("default", "orders/42");
  private static final Principal CALLER = Principal.LOCAL;
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final AtomicLong nanos = new AtomicLong(1);
  private final MemoryEngine engine =
      MemoryEngine.create(nanos::get, () -> 1_800_000_000_000_000L + nanos.get() / 1000);
  private final List<AuditEntry> entries = new ArrayList<>();
  private final VerbAudit audit = new VerbAudit(entries::add, nanos::get);
  private int next;

  private Ticket ticket(Shape shape) {
    return new Ticket(
        new Ticket.Id(1, 2, ++next),
        LOCK,
        shape,
        1,
        LEASE,
        0,
        /* waits= */ true,
        new Owner("shop", "h1", 4711, "main", ""));
  }

  private Ticket ticket() {
    return ticket(Shape.mutex(Order.FIFO));
  }

  private Standing attempt(Ticket ticket) throws EngineException {
    Standing standing = engine.attempt(ticket, () -> {});
    audit.attempted(CALLER, ticket, standing);
    return standing;
  }

  private long granted(Ticket ticket) throws EngineException {
    return ((Standing.Granted) attempt(ticket)).token();
  }

  private void renew(Ticket ticket) throws EngineException {
    audit.renewed(CALLER, ticket, engine.renew(ticket));
  }

  private void leave(Ticket ticket) throws EngineException {
    audit.left(CALLER, ticket, engine.leave(ticket, /* inDoubt= */ false));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private Optional<Boolean> isGranted(Resource lock, long token) {
    try {
      EngineInspector inspector = engine.inspector().orElseThrow();
      return Optional.of(
          inspector
              .show(lock)
              .map(line -> line.tickets().stream().anyMatch(each -> each.token() == token))
              .orElse(false));
    } catch (EngineException e) {
      return Optional.empty();
    }
  }

  private List<String> seen() {
    return entries.stream()
        .map(each -> each.what().word() + " " + each.token() + " " + each.reason())
        .map(String::strip)
        .toList();
  }

  @Test
  @DisplayName("a grant and its release are one entry each, however often they are repeated")
  void once() throws Exception {
    Ticket ticket = ticket();
    long token = granted(ticket);
    attempt(ticket);
    renew(ticket);
    attempt(ticket);
    leave(ticket);
    leave(ticket);

    assertThat(seen()).containsExactly("granted " + token, "released " + token);
    AuditEntry first = entries.get(0);
    assertThat(first.who()).isEqualTo("local");
    assertThat(first.lock()).contains(LOCK);
    assertThat(first.owner()).contains("shop pid 4711 on h1");
  }

  @Test
  @DisplayName("a waiter that leaves, or is not yet granted, is not in the audit")
  void waiting() throws Exception {
    Ticket holder = ticket();
    Ticket waiter = ticket();
    long token = granted(holder);
    attempt(waiter);
    leave(waiter);

    assertThat(seen()).containsExactly("granted " + token);
  }

  @Test
  @DisplayName("a hold whose renewal finds it gone has lapsed")
  void lapsedAtRenewal() throws Exception {
    Ticket ticket = ticket();
    long token = granted(ticket);
    pass(LEASE.plusSeconds(1));
    renew(ticket);
    renew(ticket);
    leave(ticket);

    assertThat(seen())
        .containsExactly(
            "granted " + token,
            "lapsed "
                + token
                + " a renewal found it gone: its lease had ended, or its record was deleted");
  }

  @Test
  @DisplayName("a hold whose release comes too late has lapsed")
  void lapsedAtRelease() throws Exception {
    Ticket ticket = ticket();
    long token = granted(ticket);
    pass(LEASE.plusSeconds(1));
    leave(ticket);

    assertThat(seen())
        .containsExactly(
            "granted " + token, "lapsed " + token + " its lease ended before its release");
  }

  @Test
  @DisplayName("the hold of a dead client has lapsed once the store says so")
  void lapsedSilently() throws Exception {
    Ticket ticket = ticket();
    long token = granted(ticket);
    AtomicInteger looks = new AtomicInteger();
    VerbAudit.HoldCheck check =
        (lock, its) -> {
          looks.incrementAndGet();
          return isGranted(lock, its);
        };

    pass(LEASE.dividedBy(2));
    renew(ticket);
    pass(LEASE.dividedBy(2).plusSeconds(1));
    audit.sweep(check);
    assertThat(looks).hasValue(0);

    pass(LEASE);
    audit.sweep((lock, its) -> Optional.empty());
    assertThat(seen()).containsExactly("granted " + token);
    audit.sweep(check);
    audit.sweep(check);

    assertThat(looks).hasValue(1);
    assertThat(seen())
        .containsExactly(
            "granted " + token,
            "lapsed "
                + token
                + " its lease ended without a renewal here, or it was released at another server");
  }

  @Test
  @DisplayName("a hold that another server keeps has not lapsed")
  void movedToAnotherServer() throws Exception {
    Ticket ticket = ticket();
    long token = granted(ticket);
    pass(LEASE.minusSeconds(1));
    engine.renew(ticket);
    pass(Duration.ofSeconds(5));
    audit.sweep(this::isGranted);

    assertThat(seen()).containsExactly("granted " + token);
  }

  @Test
  @DisplayName("what an operator did has its reason, and a hold that is evicted is not released")
  void operators() throws Exception {
    Ticket ticket = ticket();
    long token = granted(ticket);
    EngineInspector inspector = engine.inspector().orElseThrow();

    audit.revoked(CALLER, LOCK, token, "deploy", inspector.revoke(LOCK, token, "deploy"));
    renew(ticket);
    long handedOver = Token.handedOver(token, 3);
    audit.evicted(CALLER, LOCK, handedOver, "stuck", inspector.evict(LOCK, handedOver, "stuck"));
    renew(ticket);
    leave(ticket);
    Verdict again = inspector.evict(LOCK, token, "again");
    audit.evicted(CALLER, LOCK, token, "again", again);

    assertThat(again).isEqualTo(Verdict.NOT_CURRENT);
    assertThat(seen())
        .containsExactly(
            "granted " + token,
            "revoked " + token + " deploy",
            "evicted " + handedOver + " stuck",
            "refused " + token + " not evicted, as that token was not granted any more: again");
  }

  @Test
  @DisplayName("a holder that was asked to release, and does, has released")
  void revokedAndReleased() throws Exception {
    Ticket ticket = ticket();
    long token = granted(ticket);
    EngineInspector inspector = engine.inspector().orElseThrow();
    audit.revoked(CALLER, LOCK, token, "deploy", inspector.revoke(LOCK, token, "deploy"));
    renew(ticket);
    leave(ticket);

    assertThat(seen())
        .containsExactly("granted " + token, "revoked " + token + " deploy", "released " + token);
  }

  @Test
  @DisplayName("a release whose first reply was lost is a release")
  void lostReply() throws Exception {
    Ticket ticket = ticket();
    long token = granted(ticket);
    engine.leave(ticket, /* inDoubt= */ false);
    leave(ticket);

    assertThat(seen().get(1)).startsWith("released " + token + " nothing of it was left");
  }

  @Test
  @DisplayName("what the store refuses is in the audit; a store that does not reply is not")
  void refused() throws Exception {
    granted(ticket());
    Ticket other = ticket(Shape.semaphore(3));
    try {
      attempt(other);
      throw new AssertionError("must be refused");
    } catch (EngineException e) {
      audit.failed(CALLER, other, e);
    }
    audit.failed(CALLER, other, new EngineException.Unknown("no reply", null));

    assertThat(entries).hasSize(2);
    assertThat(entries.get(1).what()).isEqualTo(AuditEntry.What.REFUSED);
    assertThat(entries.get(1).reason()).contains("semaphore");
  }

  @Test
  @DisplayName("a hold that becomes a mark has ended")
  void settled() throws Exception {
    Ticket ticket = ticket(Shape.once());
    long token = granted(ticket);
    Duration keep = Duration.ofMinutes(1);
    audit.settled(CALLER, ticket, engine.settle(ticket, keep), keep);
    pass(LEASE.plusSeconds(1));
    audit.sweep(this::isGranted);

    assertThat(seen())
        .containsExactly("granted " + token, "released " + token + " its record is kept for 60 s");
  }

  @Test
  @DisplayName("a denial has who, where from and why; a flood of them is counted")
  void denied() {
    Refusal refusal = new Refusal(401, "the token is not valid", Optional.empty());
    for (int i = 0; i < 1000; i++) {
      audit.denied(Optional.empty(), Optional.empty(), "10.0.0.7:4711", refusal);
    }
    audit.denied(Optional.of(CALLER), Optional.of(LOCK), "10.0.0.8:1", refusal);
    assertThat(entries).hasSize(VerbAudit.DENIALS_A_SECOND + 1);
    assertThat(entries.get(0).who()).isEqualTo("unknown");
    assertThat(entries.get(0).owner()).isEqualTo("10.0.0.7:4711");
    assertThat(entries.get(0).reason()).startsWith("401: ").doesNotContain("not recorded");

    pass(Duration.ofSeconds(1));
    audit.denied(Optional.empty(), Optional.empty(), "10.0.0.7:4711", refusal);

    assertThat(entries.get(entries.size() - 1).reason())
        .endsWith("; 990 denials before it were not recorded");
  }
}
