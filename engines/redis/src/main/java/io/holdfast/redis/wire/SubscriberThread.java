package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * One connection that listens, and the thread that reads it. Until somebody wants a channel there
 * is no connection. When it breaks, it is made anew with every channel that is still wanted.
 */
final class SubscriberThread implements Subscription {

  /*
   * Writing and reading are apart: whoever adds or removes a channel writes under the lock, the
   * thread alone reads. A connection is written to only while it is the current one. The thread
   * gives a connection up by taking it out under the lock, so no command goes to a dead one unseen:
   * what is wanted is known, and the next connection begins with all of it. A writer may hang on a
   * server that does not read; the thread therefore cuts a connection before it asks for the lock,
   * and does not wait for the lock to ask for a sign of life.
   */

  private static final System.Logger LOG = System.getLogger(SubscriberThread.class.getName());
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 2_000;

  private final String address;
  private final Listening listening;
  private final Sockets sockets = new Sockets();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Channels channels = new Channels();
  private @Nullable Ear current;
  private boolean closed;
  private boolean warned;

  private SubscriberThread(String address, Listening listening) {
    this.address = address;
    this.listening = listening;
  }

  static SubscriberThread start(String address, Listening listening) {
    SubscriberThread subscriber = new SubscriberThread(address, listening);
    Thread thread = new Thread(subscriber::run, "holdfast-signals-" + address);
    thread.setDaemon(true);
    thread.start();
    return subscriber;
  }

  @Override
  public void add(String channel) {
    locked(
        () -> {
          if (channels.want(channel)) {
            write(ear -> ear.begin(List.of(channel)));
            changed.signalAll();
          }
        });
  }

  @Override
  public void remove(String channel) {
    locked(
        () -> {
          if (channels.unwant(channel) && current != null) {
            channels.endSent(channel);
            write(ear -> ear.end(channel));
          }
        });
  }

  /** The channels that are wanted here. */
  List<String> wanted() {
    lock.lock();
    try {
      return channels.all();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    // First, so that a writer that hangs lets go of the lock.
    sockets.close();
    locked(
        () -> {
          closed = true;
          current = null;
          changed.signalAll();
        });
  }

  /** Drops the present connection, if there is one; the next one goes where the opener says. */
  void reconnect() {
    sockets.cutAll();
  }

  private void locked(Runnable step) {
    lock.lock();
    try {
      step.run();
    } finally {
      lock.unlock();
    }
  }

  private void write(Consumer<Ear> writing) {
    Ear open = current;
    if (open == null) {
      return;
    }
    try {
      writing.accept(open);
    } catch (JedisException e) {
      // The reading thread meets the same trouble and begins anew with all that is wanted.
      open.cut();
    }
  }

  private void ping() {
    if (lock.tryLock()) {
      try {
        write(Ear::ping);
      } finally {
        lock.unlock();
      }
    }
  }

  private void run() {
    long pause = FIRST_PAUSE_MILLIS;
    while (awaitWanted()) {
      boolean heard = false;
      try {
        heard = listen();
        listening.placement().review(this);
      } catch (RuntimeException e) {
        // Of whoever listens. Signals are only a hint, but they must not end for ever.
        LOG.log(System.Logger.Level.WARNING, "signals of " + address + " broke off", e);
      }
      pause = heard ? FIRST_PAUSE_MILLIS : Math.min(LONGEST_PAUSE_MILLIS, pause * 2);
      pause(pause);
    }
  }

  /** Waits until a channel is wanted; false when it is over. */
  private boolean awaitWanted() {
    lock.lock();
    try {
      while (channels.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** An interrupt cuts it short, and is forgotten: nobody has a reason to send one. */
  private void pause(long millis) {
    lock.lock();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(millis);
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.DEBUG, "interrupted: " + address);
    } finally {
      lock.unlock();
    }
  }

  /** Reads until the connection ends; answers whether it ever carried anything. */
  private boolean listen() {
    Ear ear;
    try {
      Link link = listening.opener().open(sockets);
      ear = new Ear(link, listening.style(), listening.silence(), this::ping);
    } catch (EngineException | JedisException e) {
      warn(String.valueOf(e.getMessage()));
      return false;
    }
    boolean heard = false;
    try {
      begin(ear);
      while (true) {
        dispatch(ear.next());
        heard = true;
      }
    } catch (JedisException e) {
      // Cut by us or by the world: in both cases the loop decides what to do next.
      return heard;
    } finally {
      end(ear);
    }
  }

  private void begin(Ear ear) {
    lock.lock();
    try {
      if (closed) {
        throw new JedisException("closed");
      }
      current = ear;
      ear.begin(channels.all());
    } finally {
      lock.unlock();
    }
  }

  private void end(Ear ear) {
    ear.cut();
    List<String> silent;
    lock.lock();
    try {
      current = null;
      silent = closed ? List.of() : channels.gap();
    } finally {
      lock.unlock();
    }
    silent.forEach(listening.listener()::lost);
  }

  private void dispatch(Signal signal) {
    if (signal instanceof Signal.Message message) {
      listening.listener().message(message.channel(), message.payload());
    } else if (signal instanceof Signal.Begun begun) {
      begun(begun.channel());
    } else if (signal instanceof Signal.Ended ended) {
      ended(ended.channel());
    } else if (signal instanceof Signal.Moved moved) {
      moved(moved.where());
    } else if (signal instanceof Signal.Trouble trouble) {
      warn(String.valueOf(trouble.why().getMessage()));
      listening.listener().refused(address + " said: " + trouble.why().getMessage());
      throw trouble.why();
    }
  }

  private void begun(String channel) {
    boolean armed;
    lock.lock();
    try {
      warned = false;
      armed = channels.begun(channel);
    } finally {
      lock.unlock();
    }
    if (armed) {
      listening.listener().armed(channel);
    }
  }

  /** A slot that moves ends its channels by itself. */
  private void ended(String channel) {
    boolean ourselves;
    boolean silenced;
    lock.lock();
    try {
      ourselves = !channels.ended(channel);
      silenced = !ourselves && channels.silence(channel);
    } finally {
      lock.unlock();
    }
    if (silenced) {
      listening.listener().lost(channel);
    }
    if (!ourselves) {
      listening.placement().review(this);
      again(channel);
    }
  }

  /** Asks once more for a channel that has stayed here. */
  private void again(String channel) {
    locked(
        () -> {
          if (channels.isWanted(channel)) {
            write(ear -> ear.begin(List.of(channel)));
          }
        });
  }

  private void moved(JedisRedirectionException where) {
    locked(() -> channels.forgetEnds(channel -> Slots.of(channel) == where.getSlot()));
    listening.placement().moved(this, where);
  }

  /** Once a trouble: until it is over, nothing is lost but time. */
  private void warn(String why) {
    boolean over = warned || sockets.isClosed();
    warned = true;
    if (!over) {
      String what = "no signals from " + address + " for now, " + listening.without() + ": " + why;
      LOG.log(System.Logger.Level.WARNING, what);
    }
  }
}
