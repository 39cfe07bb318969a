package io.holdfast.redis;

import io.holdfast.FenceGuard;
import io.holdfast.Hold;
import io.holdfast.LockRefusedException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.redis.wire.JedisWiring;
import io.holdfast.redis.wire.StartCheck;
import io.holdfast.redis.wire.Wirings;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

/**
 * The fence guard of data that lives in Redis. {@link #run} checks the token and writes in one
 * atomic step: use it wherever the write is a write to Redis.
 *
 * <pre>{@code
 * guard.run(hold, new GuardedWrite("redis.call('SET', KEYS[1], ARGV[1])", keys, args));
 * }</pre>
 *
 * <p><b>Where the records are.</b> One string a resource, <code>{hf:…}:f:NAMESPACE:RESOURCE</code>.
 * A cluster runs a script on one server only, so there a guard must stand {@link #beside} the data:
 * its records are then <code>{TAG}:hf:f:NAMESPACE:RESOURCE</code>, with the tag of the data's key.
 * All that guard the same data must use the same place.
 *
 * <p><b>How long.</b> Records have no end: to forget one would let old holders in. A resource that
 * is gone for good may be deleted together with its record. They are as safe as the data beside
 * them: eviction, FLUSHALL or a failover that loses writes takes both.
 *
 * <p>A guard by address has one connection, over which its callers take turns; it is made when it
 * is needed, and each step has 2 seconds. A guard over the program's own client is as parallel, and
 * as patient, as that client. Neither repeats a write by itself.
 */
public final class RedisFenceGuard implements FenceGuard, AutoCloseable {

  private static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(2);
  private static final String NAMESPACE = "default";

  private final Fence fence;
  private final FencePlace place;

  private RedisFenceGuard(Fence fence, FencePlace place) {
    this.fence = fence;
    this.place = place;
  }

  /**
   * A guard by address: {@code redis:}, {@code rediss:}, {@code redis-sentinel:} or {@code
   * redis-cluster:}. The servers need not be up. The address that the locks are connected to will
   * do: parameters that begin with {@code holdfast.} are not the guard's, except that {@code
   * holdfast.namespace} is the namespace that it is for.
   *
   * @throws IllegalArgumentException when the address is not understood; the message has no secrets
   */
  public static RedisFenceGuard connect(String uri) {
    GuardAddress address = GuardAddress.of(uri);
    return connect(RedisOptions.of(address.store())).inNamespace(address.namespace());
  }

  /** A guard by options; with {@code minReplicas} claims count only when these have them. */
  public static RedisFenceGuard connect(RedisOptions options) {
    Runner runner =
        new OwnRunner(Wirings.open(options, OPERATION_TIMEOUT, new StartCheck(options.strict())));
    return of(new Fence(runner, options.minReplicas()));
  }

  /** A guard over a client that the program has made, and closes itself. */
  public static RedisFenceGuard over(UnifiedJedis client) {
    return of(new Fence(new LentRunner(JedisWiring.over(client, false, 0)), 0));
  }

  private static RedisFenceGuard of(Fence fence) {
    return new RedisFenceGuard(fence, new FencePlace(NAMESPACE, ""));
  }

  /** {@inheritDoc} Both guards share one connection. */
  @Override
  public RedisFenceGuard inNamespace(String namespace) {
    return new RedisFenceGuard(fence, new FencePlace(namespace, place.besideTag()));
  }

  /**
   * The same guard with its records beside a key of the program, in the same slot: for clusters.
   *
   * @param key with a tag in braces, such as {@code {orders}:42}, or without any; all keys with the
   *     same tag are as good
   */
  public RedisFenceGuard beside(String key) {
    return new RedisFenceGuard(fence, place.beside(key));
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreUnavailableException when there was no answer; claim again
   * @throws LockRefusedException for lack of rights, or when something else is under the record's
   *     key
   */
  @Override
  public void claim(String resource, long token, String holdId) {
    check(new Claimant(resource, token, holdId, true));
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreUnavailableException when there was no answer; ask again
   * @throws LockRefusedException for lack of rights, or when something else is under the record's
   *     key
   */
  @Override
  public void admit(String resource, long token, String holdId) {
    check(new Claimant(resource, token, holdId, false));
  }

  /**
   * Writes as the exclusive holder, in the namespace of the hold; see {@link #run(String, long,
   * String, GuardedWrite)}.
   */
  public @Nullable Object run(Hold hold, GuardedWrite write) {
    return inNamespace(hold.namespace()).run(hold.name(), hold.token(), hold.id(), write);
  }

  /**
   * Claims and writes in one atomic step.
   *
   * @return what the script returned: a {@code Long}, a {@code String}, a list of such, or null
   * @throws StaleTokenException when a later holder has claimed; nothing was written
   * @throws StoreUnavailableException when it surely did not run
   * @throws OutcomeUnknownException when there was no answer: it ran or it did not
   * @throws LockRefusedException for lack of rights, when something else is under the record's key,
   *     or when a cluster keeps the keys on several servers
   * @throws IllegalStateException when the script failed; Redis keeps what it wrote before
   */
  public @Nullable Object run(String resource, long token, String holdId, GuardedWrite write) {
    return write(new Claimant(resource, token, holdId, true), write);
  }

  /**
   * Writes as one of several, in the namespace of the hold; see {@link #runShared(String, long,
   * String, GuardedWrite)}.
   */
  public @Nullable Object runShared(Hold hold, GuardedWrite write) {
    return inNamespace(hold.namespace()).runShared(hold.name(), hold.token(), hold.id(), write);
  }

  /**
   * Admits and writes in one atomic step: for holders of a permit or of a read lock. Raises
   * nothing; otherwise as {@link #run(String, long, String, GuardedWrite)}.
   */
  public @Nullable Object runShared(
      String resource, long token, String holdId, GuardedWrite write) {
    return write(new Claimant(resource, token, holdId, false), write);
  }

  private void check(Claimant claimant) {
    try {
      requirePassed(claimant, fence.check(place.key(claimant.resource()), claimant));
    } catch (EngineException.Refused e) {
      throw refused(claimant, e);
    } catch (EngineException e) {
      // To claim again does no harm: there is no doubt that matters.
      throw new StoreUnavailableException(unheard(claimant, e) + "; write nothing", e);
    }
  }

  private @Nullable Object write(Claimant claimant, GuardedWrite write) {
    try {
      Words words = fence.write(place.key(claimant.resource()), claimant, write);
      requirePassed(claimant, words);
      return Fence.result(words);
    } catch (EngineException.Refused e) {
      throw refused(claimant, e);
    } catch (EngineException.NotDone e) {
      throw new StoreUnavailableException(unheard(claimant, e) + "; nothing was written", e);
    } catch (EngineException e) {
      throw new OutcomeUnknownException(
          unheard(claimant, e) + "; it was written or not: look before writing again", e);
    }
  }

  private void requirePassed(Claimant claimant, Words words) {
    switch (words.first()) {
      case "K" -> {}
      case "S" ->
          throw new StaleTokenException(
              claimant.resource(), claimant.token(), Long.parseLong(words.text(1)));
      case "E" ->
          throw new IllegalStateException(
              "the guarded script for "
                  + claimant.resource()
                  + " failed, and what it wrote before stays: "
                  + words.text(1));
      default ->
          throw new LockRefusedException(
              "the fence record of "
                  + claimant.resource()
                  + " at "
                  + fence.address()
                  + " is not one of Holdfast's; it was left untouched, and nothing was written",
              null);
    }
  }

  private static LockRefusedException refused(Claimant claimant, EngineException why) {
    return new LockRefusedException(
        "the guard of " + claimant.resource() + " refused: " + why.getMessage(), why);
  }

  private static String unheard(Claimant claimant, EngineException why) {
    return "the guard of " + claimant.resource() + " was not heard: " + why.getMessage();
  }

  /** Ends the guard's own connection, also for those made from it; a lent client stays open. */
  @Override
  public void close() {
    fence.close();
  }
}
