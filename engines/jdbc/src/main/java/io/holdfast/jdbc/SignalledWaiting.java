package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Answer;
import io.holdfast.jdbc.table.Signal;
import io.holdfast.jdbc.wire.Connector;
import io.holdfast.jdbc.wire.PgListener;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who waits hears of it when it is worth asking again, and who holds something when others took it
 * away. A client that holds nothing and waits for nothing never listens: the first grant, or the
 * first that has to wait, has the listener started, and nobody waits until it hears.
 */
final class SignalledWaiting implements Waiting, PgListener.Ear {

  private final LocalWaiting local;
  private final Waiters waiters;
  private final PgListener listener;
  private final AtomicBoolean started = new AtomicBoolean();
  private final LongAdder losses = new LongAdder();
  private final Channels channels;
  private volatile @Nullable HoldSignal signal;
  private volatile @Nullable String silence;

  /**
   * What is listened to.
   *
   * @param wake for those that wait
   * @param held for those that hold something
   */
  record Channels(String wake, String held) {}

  /** Signals of these tables. */
  SignalledWaiting(
      Connector connector, Channels channels, Duration timeout, LongSupplier nanoTime) {
    this.channels = channels;
    this.local = new LocalWaiting(nanoTime);
    this.waiters = local.waiters();
    this.listener = new PgListener(connector, List.of(channels.wake, channels.held), timeout, this);
  }

  @Override
  public void before(Verb verb) {
    local.before(verb);
  }

  @Override
  public void after(Answer answer) {
    local.after(answer);
    boolean toListen = answer.isWaiting() || (signal != null && answer.isGranted());
    if (toListen && !started.getAndSet(true)) {
      listener.start();
    }
  }

  @Override
  public void reportTo(HoldSignal holders) {
    signal = holders;
  }

  /** Where nothing is heard they are told here; else the database tells them with the others. */
  @Override
  public void called(List<Signal> calls) {
    if (silence != null) {
      local.called(calls);
    }
  }

  @Override
  public void armed() {
    waiters.wakeAll();
  }

  @Override
  public void heard(String channel, String words) {
    Optional<Signal> said = Signal.read(words);
    HoldSignal holders = signal;
    if (channel.equals(channels.held)) {
      if (holders != null) {
        said.ifPresent(each -> holders.changed(each.resource()));
      }
    } else if (said.isPresent()) {
      waiters.hear(said.get());
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

  @Override
  public Map<String, Long> counters() {
    return Map.of("signals.lost", losses.sum(), "signals.waiters", (long) waiters.size());
  }

  @Override
  public Optional<String> silence() {
    return Optional.ofNullable(silence).map(SignalledWaiting::silence);
  }

  /** The warning that nothing can be heard, for this reason. */
  static String silence(String why) {
    return "waiters are not signalled and poll instead: "
        + why
        + "; connect directly, or set holdfast.signals=false";
  }

  @Override
  public void close() {
    listener.close();
  }
}
