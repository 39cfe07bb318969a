package io.holdfast;

import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Makes tickets and verbs for tests below the runtime. */
public final class Tickets {

  static final Duration LEASE = Duration.ofSeconds(30);

  private static final AtomicLong NUMBERS = new AtomicLong();

  private Tickets() {}

  /** A ticket of a mutex in order ANY that waits. */
  public static Ticket of(String name) {
    return of(name, Shape.mutex(Order.ANY), 1);
  }

  static Ticket of(String name, Shape shape, int weight) {
    long number = NUMBERS.incrementAndGet();
    return new Ticket(
        new Ticket.Id(1, 2, number),
        new Resource("default", name),
        shape,
        weight,
        LEASE,
        0,
        true,
        new Owner("test", "here", 1, "t" + number, ""));
  }

  public static Verb.Attempt attempt(String name, RecordedAnswer<Standing> noted) {
    return new Verb.Attempt(of(name), () -> {}, noted);
  }

  public static Verb.Attempt attempt(Ticket ticket, RecordedAnswer<Standing> noted) {
    return new Verb.Attempt(ticket, () -> {}, noted);
  }

  public static Verb.Renew renew(Ticket ticket, RecordedAnswer<Renewal> noted) {
    return new Verb.Renew(ticket, noted);
  }

  public static Verb.Leave leave(Ticket ticket, RecordedAnswer<Left> noted) {
    return new Verb.Leave(ticket, false, noted);
  }
}
