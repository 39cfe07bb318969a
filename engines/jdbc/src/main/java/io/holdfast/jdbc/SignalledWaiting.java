package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Answer;
import io.holdfast.jdbc.table.Signal;
import io.holdfast.jdbc.wire.Connector;
import io.holdfast.jdbc.wire.PgListener;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who waits hears of it when it is worth asking again. A client whose locks are free never listens:
 * the first that has to wait has the listener started, and is woken once it hears.
 */
final class SignalledWaiting implements Waiting, PgListener.Ear, AutoCloseable {

  private final Waiters waiters;
  private final PgListener listener;
  private final AtomicBoolean started = new AtomicBoolean();
  private final LongAdder losses = new LongAdder();
  private volatile @Nullable String silence;

  SignalledWaiting(Connector connector, String channel, Duration timeout, LongSupplier nanoTime) {
    this.waiters = new Waiters(nanoTime);
    this.listener = new PgListener(connector, channel, timeout, this);
  }

  @Override
  public void before(Verb verb) {
    if (verb instanceof Verb.Attempt attempt && verb.ticket().waits() && silence == null) {
      waiters.add(verb.ticket(), attempt.wake());
    }
  }

  @Override
  public void after(Answer answer) {
    Verb verb = answer.verb();
    Ticket ticket = verb.ticket();
    if (answer.isWaiting()) {
      waiters.stays(ticket, answer.place());
      if (!started.getAndSet(true)) {
        listener.start();
      }
    } else if (verb instanceof Verb.Attempt || verb instanceof Verb.Leave) {
      boolean inDoubt =
          answer.what() instanceof EngineException failure
              && !(failure instanceof EngineException.Refused);
      if (!inDoubt) {
        waiters.remove(ticket);
      }
    }
  }

  @Override
  public void armed() {
    waiters.wakeAll();
  }

  @Override
  public void heard(String words) {
    Optional<Signal> signal = Signal.read(words);
    if (signal.isPresent()) {
      waiters.hear(signal.get());
    } else {
      // Somebody else speaks here: everybody looks again, which does no harm.
      waiters.wakeAll();
    }
  }

  @Override
  public void lost() {
    losses.increment();
  }

  @Override
  public void silent(String why) {
    silence = why;
  }

  long losses() {
    return losses.sum();
  }

  int size() {
    return waiters.size();
  }

  /** A warning when nothing can be heard. */
  Optional<String> silence() {
    return Optional.ofNullable(silence)
        .map(
            why ->
                "waiters are not signalled and poll instead: "
                    + why
                    + "; connect directly, or set holdfast.signals=false");
  }

  @Override
  public void close() {
    listener.close();
  }
}
