package io.holdfast.jdbc.table.signals;

import io.holdfast.jdbc.connection.Connector;
import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.jdbc.table.layout.WakeMessage;
import io.holdfast.spi.HoldSignal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.WaiterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Signals of PostgreSQL (LISTEN/NOTIFY) to waiters and to holders whose rows were changed.
 *
 * <p>A client that holds nothing and waits for nothing does not listen: the first grant or the
 * first waiter starts the listener, and no caller waits until it listens.
 */
public final class NotifySignals implements LockSignals, PgListener.Handler {

  private final LocalSignals local;
  private final WaiterRegistry<Resource> waiters;
  private final PgListener listener;
  private final AtomicBoolean started = new AtomicBoolean();
  private final LongAdder losses = new LongAdder();
  private final Channels channels;
  private final LongSupplier nanoTime;
  private volatile @Nullable HolderRegistry held;
  private volatile @Nullable String silence;

  /**
   * The channels.
   *
   * @param wake for waiters
   * @param held for holders
   */
  public record Channels(String wake, String held) {}

  /** Signals of these tables. */
  public NotifySignals(
      Connector connector, Channels channels, Duration timeout, LongSupplier nanoTime) {
    this.channels = channels;
    this.nanoTime = nanoTime;
    this.local = new LocalSignals(nanoTime);
    this.waiters = local.waiters();
    this.listener = new PgListener(connector, List.of(channels.wake, channels.held), timeout, this);
  }

  @Override
  public void beforeSend(Verb verb) {
    local.beforeSend(verb);
    HolderRegistry holders = held;
    if (holders != null) {
      holders.beforeSend(verb);
    }
  }

  @Override
  public void beforeComplete(VerbResult answer) {
    local.beforeComplete(answer);
    boolean toListen = answer.isWaiting() || (held != null && answer.isGranted());
    if (toListen && !started.getAndSet(true)) {
      listener.start();
    }
  }

  @Override
  public void afterComplete(VerbResult answer) {
    HolderRegistry holders = held;
    if (holders != null) {
      holders.afterComplete(answer);
    }
  }

  @Override
  public void reportTo(HoldSignal signal) {
    held = new HolderRegistry(nanoTime, signal);
  }

  /**
   * Where no signals arrive, the client wakes its own waiters; otherwise the database notifies
   * them.
   */
  @Override
  public void roomMade(List<WakeMessage> calls) {
    if (silence != null) {
      local.roomMade(calls);
    }
  }

  /** Earlier changes were missed: waiters ask again, and all holds are renewed. */
  @Override
  public void listening() {
    waiters.wakeAll();
    HolderRegistry holders = held;
    if (holders != null) {
      holders.allChanged();
    }
  }

  @Override
  public void notified(String channel, String words) {
    Optional<WakeMessage> said = WakeMessage.read(words);
    HolderRegistry holders = held;
    if (channel.equals(channels.held)) {
      if (holders != null) {
        // Without a resource: a table was truncated.
        said.ifPresentOrElse(each -> holders.changed(each.resource()), holders::allChanged);
      }
    } else if (said.isPresent()) {
      waiters.wake(said.get().resource(), said.get().places());
    } else {
      // Not one of our messages: all waiters ask again, which does no harm.
      waiters.wakeAll();
    }
  }

  @Override
  public void connectionLost() {
    losses.increment();
  }

  @Override
  public void unavailable(String why) {
    silence = why;
  }

  @Override
  public Map<String, Long> counters() {
    return Map.of("signals.lost", losses.sum(), "signals.waiters", (long) waiters.size());
  }

  @Override
  public Optional<String> silence() {
    return Optional.ofNullable(silence).map(NotifySignals::silence);
  }

  /** Returns the warning that no signals arrive, with the reason. */
  public static String silence(String why) {
    return "waiters are not signalled and poll instead: "
        + why
        + "; connect directly, or set holdfast.signals=false";
  }

  @Override
  public void close() {
    listener.close();
  }
}
