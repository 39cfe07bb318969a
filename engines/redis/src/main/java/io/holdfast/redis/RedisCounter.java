package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Reply;
import io.holdfast.redis.wire.Script;
import io.holdfast.redis.wire.Wire;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Counters: each a string key without an expiry, raised by one script. Callers take turns on one
 * connection, which is made when it is needed.
 *
 * <p>Why no block repeats after a failover that lost writes, if blocks are taken by the clock: a
 * block that was forgotten began at the old master's clock when it was taken, or where the one
 * before it ended, and is as many microseconds long as it has numbers; a new one begins at the new
 * master's clock or above. It breaks when the counter was ahead of the clock by more than the
 * failover took (a long block, many at once, or more than a million numbers a second), or when the
 * new master's clock is behind by more than what is left of that time.
 */
final class RedisCounter implements Counter {

  private static final Script TAKE =
      Script.load(RedisCounter.class, false, "", "count", "count-take");
  private static final Script GIVE_BACK =
      Script.load(RedisCounter.class, false, "", "count", "count-back");

  private final Doors doors;
  private final int minReplicas;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Wire wire;

  /**
   * Counters of one client.
   *
   * @param minReplicas how many replicas must have a block before it is used
   */
  RedisCounter(Doors doors, int minReplicas) {
    this.doors = doors;
    this.minReplicas = minReplicas;
  }

  @Override
  public long take(Ask ask) throws EngineException {
    Words words =
        run(
            TAKE,
            ask.name(),
            Long.toString(ask.count()),
            Long.toString(ask.floor()),
            ask.clocked() ? "1" : "0");
    return words.number(1);
  }

  @Override
  public boolean giveBack(Resource name, long from, long end) throws EngineException {
    return run(GIVE_BACK, name, Long.toString(from), Long.toString(end)).first().equals("B");
  }

  /** Replication is asynchronous, and so is writing to disk. */
  @Override
  public boolean forgets() {
    return true;
  }

  private Words run(Script script, Resource name, String... args) throws EngineException {
    byte[] path = Layout.path(name);
    byte[] key = Layout.key(Layout.bucket(path), 'c', path);
    List<byte[]> words =
        Stream.of(args).map(arg -> arg.getBytes(StandardCharsets.US_ASCII)).toList();
    Reply reply = run(new Call(script, List.of(key), words, true));
    if (reply instanceof Reply.Failed failed) {
      throw failed.why();
    }
    Reply.Value value = (Reply.Value) reply;
    Words answer = Words.of(value.value());
    if (answer.first().equals("F")) {
      throw foreign(name);
    }
    if (value.replicas() != Reply.NOT_ASKED && value.replicas() < minReplicas) {
      throw tooFewReplicas(name, value.replicas());
    }
    return answer;
  }

  private EngineException foreign(Resource name) {
    return new EngineException.Refused(
        "the counter "
            + name
            + " at "
            + doors.wiring().address()
            + " cannot be used: its key holds something that Holdfast did not write; it was left"
            + " untouched. Move it away");
  }

  private EngineException tooFewReplicas(Resource name, int replicas) {
    return new EngineException.Unknown(
        "a block of the counter "
            + name
            + " reached "
            + replicas
            + " of "
            + minReplicas
            + " replicas of "
            + doors.wiring().address()
            + ", and is not used",
        null);
  }

  private Reply run(Call call) throws EngineException {
    lock.lock();
    try {
      if (wire == null) {
        wire = doors.open();
      }
      return wire.run(List.of(call)).get(0);
    } finally {
      lock.unlock();
    }
  }

  /** Does not wait for a call that is under way: it breaks it off. */
  void close() {
    if (lock.tryLock()) {
      try {
        closeWire();
      } finally {
        lock.unlock();
      }
    } else {
      closeWire();
    }
  }

  private void closeWire() {
    Wire open = wire;
    if (open != null) {
      open.close();
    }
  }
}
