package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One of several servers that are asked together, as all lanes know it: whether it is there, and
 * what it must still be told. Connections are made in the background, never on a lane.
 */
final class Member {

  /** Where an operator says that a process has forgotten nothing; the value is its run id. */
  static final String VOUCHED = "{hf:redlock}:new";

  private static final byte[] LOAD = "LOAD".getBytes(StandardCharsets.US_ASCII);
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Server server;
  private final Dialer dialer;
  private final List<Script> scripts;
  private final Members.Times times;
  private final ScheduledExecutorService background;
  private final Sockets sockets;
  private final Owed owed = new Owed();
  private final AtomicBoolean paying = new AtomicBoolean();
  private final AtomicBoolean telling = new AtomicBoolean();
  private volatile @Nullable EngineException trouble;
  private volatile boolean overdue;
  private volatile long retryAt = System.nanoTime();
  private volatile long pause = FIRST_PAUSE_NANOS;
  private volatile long payPause = FIRST_PAUSE_NANOS;

  Member(
      Server server,
      Dialer dialer,
      List<Script> scripts,
      Members.Times times,
      ScheduledExecutorService background,
      Sockets sockets) {
    this.server = server;
    this.dialer = dialer;
    this.scripts = scripts;
    this.times = times;
    this.background = background;
    this.sockets = sockets;
  }

  Server server() {
    return server;
  }

  /** Why it was not reached or did not answer last, if so. */
  @Nullable EngineException trouble() {
    return trouble;
  }

  /** A connection to it has been waited for in vain. */
  void overdue() {
    overdue = true;
  }

  /** Whether connections to it are not worth waiting for, until one has been made. */
  boolean isOverdue() {
    return overdue;
  }

  /** Whether it is worth dialling now. */
  boolean mayDial() {
    return trouble == null || retryAt - System.nanoTime() <= 0;
  }

  /** It was not reached, or did not answer in time. */
  void failed(EngineException why) {
    trouble = why;
    retryAt = System.nanoTime() + pause;
    pause = Math.min(LONGEST_PAUSE_NANOS, pause * 2);
  }

  /**
   * Begins to connect in the background.
   *
   * @param then run when it is over, for better or worse
   */
  CompletableFuture<Voice> dial(Sockets over, Runnable then) {
    // Whoever dials does it for all: the others wait for the next turn.
    retryAt = System.nanoTime() + pause;
    CompletableFuture<Voice> voice = new CompletableFuture<>();
    try {
      background.execute(
          () -> {
            dial(over, voice);
            then.run();
          });
    } catch (RejectedExecutionException e) {
      voice.completeExceptionally(new EngineException.NotDone("the engine is closed", e));
    }
    return voice;
  }

  private void dial(Sockets over, CompletableFuture<Voice> voice) {
    try {
      Voice open = open(over);
      if (!voice.complete(open)) {
        open.link().cut();
      }
    } catch (EngineException e) {
      failed(over, e, voice);
    } catch (RuntimeException e) {
      failed(over, new EngineException.NotDone("no connection to " + server, e), voice);
    }
  }

  private void failed(Sockets over, EngineException why, CompletableFuture<Voice> voice) {
    if (!over.isClosed()) {
      failed(why);
    }
    voice.completeExceptionally(why);
  }

  private Voice open(Sockets over) throws EngineException {
    Link link = dialer.dial(server, over, Deadline.in(times.connect()));
    boolean done = false;
    try {
      Voice voice = look(link);
      teach(link);
      pay(link);
      trouble = null;
      overdue = false;
      pause = FIRST_PAUSE_NANOS;
      done = true;
      return voice;
    } catch (JedisException e) {
      throw new EngineException.NotDone(server + " " + times.silence(e), e);
    } finally {
      if (!done) {
        link.cut();
      }
    }
  }

  /** Since when it runs. One that is too slow for its answer is of no use. */
  private Voice look(Link link) throws EngineException {
    link.deadline(Deadline.in(times.node()));
    link.sendCommand(Command.INFO, "server");
    link.sendCommand(Command.GET, VOUCHED);
    link.push();
    Object info = link.receive();
    Object vouched = link.receive();
    if (!(info instanceof byte[] text)) {
      throw new EngineException.Refused(
          server + " does not tell since when it runs: give the user the right to INFO");
    }
    ServerFacts facts = ServerFacts.parse(new String(text, StandardCharsets.UTF_8));
    boolean known =
        vouched instanceof byte[] id
            && facts.runId().equals(new String(id, StandardCharsets.US_ASCII));
    Duration uptime = Duration.ofSeconds(Long.parseLong("0" + facts.value("uptime_in_seconds")));
    return Voice.of(link, uptime, known ? Duration.ZERO : times.delay());
  }

  /** So that no round has to be run twice; whoever may not do this sends them in full later. */
  private void teach(Link link) {
    link.deadline(Deadline.in(times.connect()));
    for (Script script : scripts) {
      link.sendCommand(Command.SCRIPT, LOAD, script.source());
    }
    link.push();
    for (int i = 0; i < scripts.size(); i++) {
      link.receive();
    }
  }

  /** Writes down that this very process has forgotten nothing. */
  void vouch() throws EngineException {
    Link link = dialer.dial(server, sockets, Deadline.in(times.connect()));
    try {
      Object said =
          link.ask(Command.SET, VOUCHED, new String(link.runId(), StandardCharsets.US_ASCII));
      if (said instanceof JedisDataException error) {
        throw ServerErrors.of(String.valueOf(error.getMessage()), "init", server.toString());
      }
    } catch (JedisException e) {
      throw new EngineException.Unknown(server + " " + times.silence(e), e);
    } finally {
      link.cut();
    }
  }

  /** Tells it this as soon as it can be reached, again and again until then. */
  void owe(String about, Call call) {
    owed.add(about, call);
    payLater();
  }

  int owes() {
    return owed.size();
  }

  private void payLater() {
    if (!paying.compareAndSet(false, true)) {
      return;
    }
    try {
      long delay = Math.max(pause, payPause);
      var unused = background.schedule(this::payNow, delay, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Closed: what is owed ends with its lease.
      paying.set(true);
    }
  }

  private void payNow() {
    try {
      if (owed.size() > 0) {
        open(sockets).link().cut();
      }
    } catch (EngineException e) {
      failed(e);
    } finally {
      // One that answers and says no is told less and less often, as one that is away is.
      payPause = owed.size() == 0 ? FIRST_PAUSE_NANOS : Math.min(LONGEST_PAUSE_NANOS, 2 * payPause);
      paying.set(false);
    }
    if (owed.size() > 0) {
      payLater();
    }
  }

  /**
   * Tells it what it is owed. Only what it has done is paid: it may answer with an error, for lack
   * of memory, disk or rights, and do it another time.
   */
  private void pay(Link link) {
    Map<String, Call> all = owed.all();
    if (all.isEmpty() || !telling.compareAndSet(false, true)) {
      return;
    }
    try {
      List<Errand> errands = Errand.of(List.copyOf(all.values()));
      link.deadline(Deadline.in(times.connect()));
      boolean unused = Rounds.run(link, errands);
      Iterator<Reply> replies = Errand.replies(errands).iterator();
      all.forEach(
          (about, call) -> {
            if (replies.next() instanceof Reply.Value) {
              owed.paid(about, call);
            }
          });
    } finally {
      telling.set(false);
    }
  }
}
