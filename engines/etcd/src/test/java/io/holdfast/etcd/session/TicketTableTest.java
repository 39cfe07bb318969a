package io.holdfast.etcd.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.layout.Keys;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tickets that stay in the store without their client. */
class TicketTableTest {

  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Shape SHAPE = Shape.mutex(Order.ANY);
  private static final Resource NAME = new Resource("default", "a");

  private final Keys keys = new Layout("x/").of(NAME, SHAPE);
  private long now;
  private final TicketTable table = new TicketTable(() -> now);
  private long count;

  private Ticket ticket() {
    Ticket.Id id = new Ticket.Id(1, 2, ++count);
    return new Ticket(id, NAME, SHAPE, 1, LEASE, 0, true, new Owner("", "", 0, "", ""));
  }

  private Ticket held() {
    Ticket ticket = ticket();
    table.keep(ticket, table.begin(ticket, keys), 7, 8, LEASE.toNanos());
    table.end(ticket.id());
    return ticket;
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void theKeyOfATicketThatIsLeftToTheStoreIsNeverTakenAgain() {
    Ticket kept = held();
    ByteString key = table.find(kept.id()).key();
    table.leftToStore(kept.id());
    assertThat(table.size()).isZero();
    assertThat(table.keysInUse()).isZero();
    Ticket next = ticket();
    assertThat(table.begin(next, keys)).isNotEqualTo(key);
  }

  @Test
  void aTicketThatMayBeLeftToTheStoreIsNeverDeletedBlindly() {
    Ticket kept = held();
    table.begin(kept.id());
    table.doubt(kept.id());
    table.mayBeLeftToStore(kept.id());
    table.end(kept.id());
    pass(LEASE.plusSeconds(1));
    assertThat(table.takeExpired())
        .hasSize(1)
        .allSatisfy(
            entry -> {
              assertThat(entry.isDoubtful()).isFalse();
              table.removed(entry);
            });
    pass(LEASE.multipliedBy(10));
    assertThat(table.takeExpired()).isEmpty();
    assertThat(table.keysInUse()).isZero();
  }
}
