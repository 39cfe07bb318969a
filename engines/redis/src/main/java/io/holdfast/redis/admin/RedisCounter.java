package io.holdfast.redis.admin;

import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.redis.connection.ScriptRunner;
import io.holdfast.redis.layout.Keys;
import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.util.List;

/**
 * Counters: each is a string key without an expiry, raised by one script.
 *
 * <p>Callers take turns on one connection, which is opened when needed.
 *
 * <p>Why no block repeats after a failover that lost writes, if blocks are taken by the clock: a
 * lost block began at the old master's clock when it was taken, or where the block before it ended,
 * and is as many microseconds long as it has numbers. A new block begins at the new master's clock
 * or above. This breaks if the counter was ahead of the clock by more than the failover took (a
 * long block, many at once, or more than a million numbers a second), or if the new master's clock
 * is behind by more than what is left of that time.
 */
public final class RedisCounter implements Counter, AutoCloseable {

  private static final Script TAKE = Script.granting("admin/counter", "admin/counter-take");
  private static final Script GIVE_BACK =
      Script.granting("admin/counter", "admin/counter-give-back");

  private final ScriptRunner runner;
  private final String store;
  private final int minReplicas;

  /**
   * Creates the counters of one client.
   *
   * @param minReplicas how many replicas must have a block before it is used
   */
  public RedisCounter(AdminConnections connections, int minReplicas) {
    this.store = connections.topology().address();
    this.runner =
        ScriptRunner.sharing("the counters of " + store + " are closed", connections::open);
    this.minReplicas = minReplicas;
  }

  @Override
  public long take(Ask ask) throws EngineException {
    ReplyWords words =
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

  private ReplyWords run(Script script, Resource name, String... args) throws EngineException {
    ScriptReply reply =
        runner.run(ScriptCall.acknowledged(script, List.of(Keys.ofCounter(name)), args));
    ReplyWords words = ReplyWords.of(reply);
    if (words.first().equals("F")) {
      throw new EngineException.Refused(
          "the counter "
              + name
              + " at "
              + store
              + " cannot be used: its key holds something that Holdfast did not write; it was left"
              + " untouched. Move it");
    }
    int replicas = ((ScriptReply.Value) reply).replicas();
    if (replicas != ScriptReply.NOT_ASKED && replicas < minReplicas) {
      throw new EngineException.Unknown(
          "a block of the counter "
              + name
              + " reached "
              + replicas
              + " of "
              + minReplicas
              + " replicas of "
              + store
              + ", and is not used",
          null);
    }
    return words;
  }

  /** Breaks off a call that is under way. */
  @Override
  public void close() {
    runner.close();
  }
}
