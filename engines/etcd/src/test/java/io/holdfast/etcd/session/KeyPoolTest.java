package io.holdfast.etcd.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which keys tickets get, through {@link TicketTable}. */
class KeyPoolTest {

  private long now;
  private final TicketTable places = new TicketTable(() -> this.now);
  private long ids;

  @Test
  void the_next_ticket_hangs_where_the_last_one_did() {
    Ticket first = ticket("a");
    Ticket second = ticket("a");
    assertThat(use(first)).isEqualTo(use(second));
  }

  @Test
  void two_at_a_time_hang_apart_and_each_stays_where_it_is() {
    Ticket first = ticket("a");
    Ticket second = ticket("a");
    ByteString one = join(first);
    ByteString two = join(second);
    assertThat(one).isNotEqualTo(two);
    assertThat(join(first)).isEqualTo(one);
    leave(first);
    assertThat(join(second)).isEqualTo(two);
    assertThat(join(ticket("a"))).isEqualTo(one);
  }

  @Test
  void another_name_and_another_use_of_it_are_other_keys() {
    ByteString key = join(ticket("a"));
    assertThat(join(ticket("b"))).isNotEqualTo(key);
    Ticket permit = ticket("a", Shape.semaphore(2));
    assertThat(places.begin(permit, new Layout("holdfast/").of(permit.resource(), permit.shape())))
        .isNotEqualTo(key);
  }

  @Test
  void what_was_not_answered_may_come_late_so_nobody_hangs_there_again() {
    Ticket first = ticket("a");
    ByteString doubted = key(first);
    places.failed(first.id(), new EngineException.Unknown("no answer", null));
    places.end(first.id());
    assertThat(join(first)).isEqualTo(doubted);
    leave(first);
    Ticket second = ticket("a");
    assertThat(use(second)).isNotEqualTo(doubted);
    assertThat(use(ticket("a"))).isNotEqualTo(doubted);
  }

  @Test
  void what_was_refused_or_not_done_gives_its_key_back() {
    Ticket refused = ticket("a");
    ByteString key = key(refused);
    places.failed(refused.id(), new EngineException.NotDone("not sent", null));
    places.end(refused.id());
    assertThat(places.keysInUse()).isZero();
    assertThat(key(ticket("a"))).isEqualTo(key);
  }

  @Test
  void one_whose_time_is_over_keeps_its_key_until_it_is_out_of_the_store() {
    Ticket ticket = ticket("a", Shape.mutex(Order.ANY), Duration.ZERO);
    ByteString key = join(ticket);
    TicketTable.Entry over = places.takeExpired().get(0);
    assertThat(key(ticket("a"))).isNotEqualTo(key);
    places.removed(over);
    assertThat(key(ticket("a"))).isEqualTo(key);
  }

  @Test
  void one_in_doubt_that_nobody_asks_for_again_is_taken_out_and_forgotten() {
    Ticket ticket = ticket("a");
    ByteString doubted = doubt(ticket);
    assertThat(places.takeExpired()).isEmpty();
    pass(ticket.lease().multipliedBy(5));
    TicketTable.Entry over = places.takeExpired().get(0);
    assertThat(over.key()).isEqualTo(doubted);
    assertThat(places.keysInUse()).isZero();
    places.notRemoved(over);
    assertThat(places.takeExpired()).containsExactly(over);
    places.removed(over);
    assertThat(places.takeExpired()).isEmpty();
    assertThat(key(ticket)).as("what is still to be deleted there is not it").isNotEqualTo(doubted);
  }

  @Test
  void one_in_doubt_after_it_was_gone_is_forgotten_as_well() {
    Ticket ticket = ticket("a");
    key(ticket);
    places.gone(ticket.id());
    places.failed(ticket.id(), new EngineException.Unknown("no answer", null));
    places.end(ticket.id());
    pass(ticket.lease().multipliedBy(5));
    places.removed(places.takeExpired().get(0));
    assertThat(places.keysInUse()).isZero();
  }

  @Test
  void one_in_doubt_that_is_asked_for_again_stays() {
    Ticket ticket = ticket("a");
    ByteString key = doubt(ticket);
    pass(ticket.lease().multipliedBy(3));
    assertThat(join(ticket)).isEqualTo(key);
    pass(ticket.lease().multipliedBy(2));
    TicketTable.Entry over = places.takeExpired().get(0);
    assertThat(over.revision()).isEqualTo(7);
    places.removed(over);
    assertThat(places.keysInUse()).as("something of it may still be on its way").isOne();
    pass(ticket.lease().multipliedBy(5));
    places.removed(places.takeExpired().get(0));
    assertThat(places.keysInUse()).isZero();
  }

  private ByteString doubt(Ticket ticket) {
    ByteString key = key(ticket);
    places.failed(ticket.id(), new EngineException.Unknown("no answer", null));
    places.end(ticket.id());
    return key;
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private ByteString use(Ticket ticket) {
    ByteString key = join(ticket);
    leave(ticket);
    assertThat(places.keysInUse()).isZero();
    return key;
  }

  private ByteString join(Ticket ticket) {
    ByteString key = key(ticket);
    places.keep(ticket, key, 7, 1, 0);
    places.end(ticket.id());
    return key;
  }

  private void leave(Ticket ticket) {
    key(ticket);
    places.gone(ticket.id());
    places.end(ticket.id());
  }

  private ByteString key(Ticket ticket) {
    return places.begin(ticket, new Layout("holdfast/").of(ticket.resource(), ticket.shape()));
  }

  private Ticket ticket(String name) {
    return ticket(name, Shape.mutex(Order.ANY));
  }

  private Ticket ticket(String name, Shape shape) {
    return ticket(name, shape, Duration.ofSeconds(30));
  }

  private Ticket ticket(String name, Shape shape, Duration lease) {
    return new Ticket(
        new Ticket.Id(1, 2, ++ids),
        new Resource("default", name),
        shape,
        1,
        lease,
        0,
        true,
        new Owner("", "here", 1, "test", ""));
  }
}
