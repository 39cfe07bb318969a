package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.tck.conformance.LineModel.Span;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LineModelTest {

  private static final Duration LEASE = Duration.ofSeconds(30);

  private final LineModel model = new LineModel(Duration.ofSeconds(1));
  private long tickets;

  private Ticket ticket(Shape shape, int weight) {
    return new Ticket(
        new Ticket.Id(1, 2, ++tickets),
        new Resource("default", "name"),
        shape,
        weight,
        LEASE,
        0,
        true,
        new Owner("", "here", 1, "test", ""));
  }

  private Ticket mutex() {
    return ticket(Shape.mutex(Order.FIFO), 1);
  }

  private static Span at(long seconds) {
    long nanos = Duration.ofSeconds(seconds).toNanos();
    return new Span(nanos, nanos);
  }

  private static Standing granted(long token) {
    return new Standing.Granted(token, LEASE, false);
  }

  private static Standing waiting() {
    return new Standing.Waiting(1, LEASE, Optional.empty());
  }

  @Test
  void two_in_at_once_break_the_rules() {
    model.attempted(mutex(), granted(1), at(0));
    assertThatThrownBy(() -> model.attempted(mutex(), granted(2), at(1)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("there is room");
  }

  @Test
  void one_that_fits_and_waits_breaks_the_rules() {
    assertThatThrownBy(() -> model.attempted(mutex(), waiting(), at(0)))
        .hasMessageContaining("a ticket that fits is granted");
  }

  @Test
  void a_lease_that_ends_about_now_may_have_ended_or_not() {
    Ticket holder = mutex();
    Ticket waiter = mutex();
    model.attempted(holder, granted(1), at(0));
    model.attempted(waiter, waiting(), at(29));
    assertThatCode(() -> model.attempted(waiter, waiting(), new Span(nanos(30), nanos(30) + 1)))
        .doesNotThrowAnyException();
    assertThatCode(() -> model.attempted(waiter, granted(2), new Span(nanos(30), nanos(30) + 2)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> model.renewed(holder, renewed(), at(31)))
        .hasMessageContaining("resurrects");
  }

  @Test
  void a_token_that_does_not_rise_breaks_the_rules() {
    Ticket first = mutex();
    model.attempted(first, granted(5), at(0));
    model.left(first, false, Left.HOLDING, at(1));
    assertThatThrownBy(() -> model.attempted(mutex(), granted(5), at(2)))
        .hasMessageContaining("tokens rise");
  }

  @Test
  void one_that_left_in_doubt_may_not_join() {
    Ticket left = mutex();
    model.left(left, true, Left.NOTHING, at(0));
    assertThatThrownBy(() -> model.attempted(left, granted(1), at(1)))
        .hasMessageContaining("has left");
    assertThatCode(() -> model.attempted(left, granted(1), at(40))).doesNotThrowAnyException();
  }

  @Test
  void two_shapes_break_the_rules() {
    model.attempted(mutex(), granted(1), at(0));
    assertThatThrownBy(() -> model.attempted(ticket(Shape.semaphore(2), 1), granted(2), at(1)))
        .hasMessageContaining("one shape");
  }

  @Test
  void a_small_claim_that_passes_a_large_one_breaks_the_rules() {
    Shape shape = Shape.semaphore(3);
    model.attempted(ticket(shape, 1), granted(1), at(0));
    model.attempted(ticket(shape, 3), waiting(), at(1));
    assertThatThrownBy(() -> model.attempted(ticket(shape, 1), granted(2), at(2)))
        .hasMessageContaining("there is room");
  }

  @Test
  void a_silent_waiter_may_stay_as_long_as_the_store_says() {
    LineModel patient = new LineModel(Duration.ofSeconds(1), 4);
    Ticket silent = mutex();
    attemptsBehindSilent(patient, silent);
    assertThatCode(() -> patient.attempted(mutex(), waiting(), at(120))).doesNotThrowAnyException();
    assertThatCode(() -> patient.left(silent, false, Left.HOLDING, at(120)))
        .doesNotThrowAnyException();
    attemptsBehindSilent(model, mutex());
    assertThatThrownBy(() -> model.attempted(mutex(), waiting(), at(120)))
        .hasMessageContaining("a ticket that fits is granted");
  }

  @Test
  void no_waiter_stays_longer_than_the_store_says() {
    LineModel patient = new LineModel(Duration.ofSeconds(1), 4);
    attemptsBehindSilent(patient, mutex());
    assertThatThrownBy(() -> patient.attempted(mutex(), waiting(), at(122)))
        .hasMessageContaining("a ticket that fits is granted");
  }

  /** The ticket waits from 0 s on; the holder leaves after 1 s. */
  private void attemptsBehindSilent(LineModel each, Ticket silent) {
    Ticket holder = mutex();
    each.attempted(holder, granted(1), at(0));
    each.attempted(silent, waiting(), at(0));
    each.left(holder, false, Left.HOLDING, at(1));
  }

  @Test
  void a_waiter_that_was_silent_for_long_has_its_place_or_the_last_one() {
    for (boolean keptItsPlace : new boolean[] {true, false}) {
      LineModel patient = new LineModel(Duration.ofSeconds(1), 4);
      Ticket holder = mutex();
      Ticket silent = mutex();
      Ticket other = mutex();
      patient.attempted(holder, granted(1), at(0));
      patient.attempted(silent, waiting(), at(0));
      patient.renewed(holder, renewed(), at(25));
      patient.attempted(other, waiting(), at(25));
      patient.attempted(silent, waiting(), at(40));
      patient.left(holder, false, Left.HOLDING, at(41));
      Ticket first = keptItsPlace ? silent : other;
      Ticket second = keptItsPlace ? other : silent;
      assertThatCode(() -> patient.attempted(second, waiting(), at(42))).doesNotThrowAnyException();
      assertThatCode(() -> patient.attempted(first, granted(2), at(42))).doesNotThrowAnyException();
      assertThatThrownBy(() -> patient.attempted(second, granted(3), at(43)))
          .hasMessageContaining("there is room");
    }
  }

  private static long nanos(long seconds) {
    return Duration.ofSeconds(seconds).toNanos();
  }

  private static Renewal renewed() {
    return new Renewal.Renewed(LEASE, false);
  }
}
