package io.holdfast.rig.faults;

import io.holdfast.Outcome;
import io.holdfast.rig.clients.ClientJvm;
import io.holdfast.rig.clients.JvmSpec;
import io.holdfast.rig.servers.ServerClock;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.Order;
import io.holdfast.tck.faults.Ability;
import io.holdfast.tck.faults.ClientSpec;
import io.holdfast.tck.faults.Cut;
import io.holdfast.tck.faults.FaultClaim;
import io.holdfast.tck.faults.FaultClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A fault kit client in its own JVM, which can be killed and paused. */
public final class FaultClientJvm implements FaultClient {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final long LOOK_NANOS = 3_000_000;

  private final ClientJvm jvm;
  private final @Nullable ServerClock clock;
  private final Map<String, Claim> claims = new ConcurrentHashMap<>();
  private final Map<String, String> replies = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private volatile boolean closed;

  private FaultClientJvm(ClientJvm jvm, @Nullable ServerClock clock) {
    this.jvm = jvm;
    this.clock = clock;
  }

  /** Starts one and waits until it is connected; with a clock of its own if that is asked for. */
  public static FaultClientJvm start(ClientSpec spec, String uri) {
    ServerClock clock = spec.needs(Ability.CLOCK) ? ServerClock.create() : null;
    JvmSpec process =
        JvmSpec.of(
                spec.name(),
                FaultClientProgram.class,
                uri,
                spec.namespace(),
                Long.toString(spec.lease().toMillis()))
            .withEnvironment(clock == null ? Map.of() : clock.environment());
    FaultClientJvm client = new FaultClientJvm(ClientJvm.start(process), clock);
    try {
      client.jvm.awaitLine("ready", LONG);
      Thread reader = new Thread(client::read, "rig-read-" + spec.name());
      reader.setDaemon(true);
      reader.start();
      return client;
    } catch (RuntimeException | AssertionError e) {
      client.close();
      throw e;
    }
  }

  private void read() {
    int next = 0;
    while (!closed) {
      List<String> lines;
      try {
        lines = jvm.lines();
      } catch (RuntimeException e) {
        // Its folder is gone: closed meanwhile.
        return;
      }
      for (; next < lines.size(); next++) {
        take(lines.get(next).split(" ", -1));
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void take(String... words) {
    Claim claim = words.length > 1 ? claims.get(words[1]) : null;
    if (words[0].equals("reply")) {
      replies.put(words[1], words[2]);
    } else if (claim != null) {
      claim.take(words);
    }
  }

  private String ask(String question) {
    String number = Long.toString(numbers.incrementAndGet());
    jvm.say(question + " " + number);
    return Await.value(question, LONG, () -> Optional.ofNullable(replies.remove(number)));
  }

  @Override
  public FaultClaim acquire(String name, Order order, Duration wait) {
    String id = "c" + numbers.incrementAndGet();
    Claim claim = new Claim(id);
    claims.put(id, claim);
    jvm.say("acquire " + id + " " + order + " " + wait.toMillis() + " " + name);
    return claim;
  }

  @Override
  public void kill() {
    jvm.kill9();
  }

  @Override
  public void freeze() {
    jvm.pause();
  }

  @Override
  public void suspend() {
    throw new UnsupportedOperationException("a process cannot stop its own monotonic clock");
  }

  @Override
  public void resume() {
    jvm.resume();
  }

  @Override
  public void cut(Cut how) {
    throw new UnsupportedOperationException("this client has no link of its own");
  }

  @Override
  public void heal() {
    throw new UnsupportedOperationException("this client has no link of its own");
  }

  @Override
  public void stepClock(Duration by) {
    if (clock == null) {
      throw new UnsupportedOperationException("this client has no clock of its own");
    }
    clock.step(by);
  }

  @Override
  public void close() {
    closed = true;
    jvm.close();
    if (clock != null) {
      clock.close();
    }
  }

  /** An acquire in the other JVM. */
  private final class Claim implements FaultClaim {
    private final String id;
    private final CompletableFuture<Grant> granted = new CompletableFuture<>();
    private final List<Long> losses = new CopyOnWriteArrayList<>();

    Claim(String id) {
      this.id = id;
    }

    void take(String... words) {
      switch (words[0]) {
        case "granted" ->
            granted.complete(
                new Grant(Long.parseLong(words[3]), words[4], Long.parseLong(words[2])));
        case "refused" ->
            granted.completeExceptionally(new IllegalStateException(String.join(" ", words)));
        case "lost" -> losses.add(Long.parseLong(words[2]));
        default -> throw new IllegalStateException("not understood: " + words[0]);
      }
    }

    @Override
    public CompletableFuture<Grant> granted() {
      return granted;
    }

    @Override
    public boolean isHeld() {
      return Boolean.parseBoolean(ask("held " + id));
    }

    @Override
    public Duration remaining() {
      return Duration.ofNanos(Long.parseLong(ask("remaining " + id)));
    }

    @Override
    public boolean hasExpired() {
      return Boolean.parseBoolean(ask("expired " + id));
    }

    @Override
    public Outcome release() {
      return Outcome.valueOf(ask("release " + id));
    }

    @Override
    public List<Long> losses() {
      return List.copyOf(losses);
    }
  }
}
