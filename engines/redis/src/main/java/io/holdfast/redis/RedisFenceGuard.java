package io.holdfast.redis;

import io.holdfast.FenceGuard;
import io.holdfast.Hold;
import io.holdfast.LockRefusedException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.redis.connection.JedisClientTopology;
import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.redis.connection.ScriptRunner;
import io.holdfast.redis.connection.ServerCheck;
import io.holdfast.redis.connection.ServerTopology;
import io.holdfast.redis.connection.Topologies;
import io.holdfast.redis.layout.FenceKeys;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.support.GuardSteps;
import io.holdfast.spi.support.GuardUri;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.UnifiedJedis;

/**
 * The fence guard of data in Redis.
 *
 * <p>{@link #run} checks the token and writes in one atomic step: use it wherever the write is a
 * write to Redis.
 *
 * <pre>{@code
 * guard.run(hold, new GuardedWrite("redis.call('SET', KEYS[1], ARGV[1])", keys, args));
 * }</pre>
 *
 * <p><b>Where the records are.</b> One string a resource, <code>{hf:…}:f:NAMESPACE:RESOURCE</code>.
 * A cluster runs a script on one server only, so there a guard must stand {@link #beside} the data:
 * its records are then <code>{TAG}:hf:f:NAMESPACE:RESOURCE</code>, with the tag of the data's key.
 * All guards of the same data must use the same place.
 *
 * <p><b>How long.</b> Records do not expire: without one, old holders would pass. A resource that
 * is gone for good may be deleted together with its record. They are as safe as the data itself:
 * eviction, FLUSHALL or a failover that loses writes takes both.
 *
 * <p>A guard by address has one connection, over which its callers take turns; it is opened when
 * needed, and each step has 2 s. A guard over a caller-supplied client has that client's
 * concurrency and timeouts. Neither repeats a write by itself.
 */
public final class RedisFenceGuard implements FenceGuard, AutoCloseable {

  private static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(2);
  private static final String NAMESPACE = "default";

  /** Replies begin with K passed, S stale, F foreign record, E failed. */
  private static final Script CLAIM = Script.granting("fence", "fence-check");

  private static final Script ADMIT = Script.reading("fence", "fence-check");
  private static final Script WRITE = Script.granting("fence", "fence-write");

  /**
   * The token that a holder shows.
   *
   * @param exclusive whether it claims, so that earlier holders are out
   */
  private record Claim(String resource, long token, String holdId, boolean exclusive) {

    Claim {
      GuardSteps.requireToken(token);
    }

    /** Returns the arguments of {@code fence.lua}, in a list that can grow. */
    List<byte[]> args() {
      return ScriptCall.bytes(exclusive ? "c" : "a", Long.toString(token), holdId);
    }
  }

  /** What a guard and its copies share. */
  private record Shared(ServerTopology topology, ScriptRunner runner, int minReplicas) {}

  private final Shared shared;
  private final FenceKeys keys;

  private RedisFenceGuard(Shared shared, FenceKeys keys) {
    this.shared = shared;
    this.keys = keys;
  }

  /**
   * Creates a guard by address: {@code redis:}, {@code rediss:}, {@code redis-sentinel:} or {@code
   * redis-cluster:}.
   *
   * <p>The servers need not be up. The address of the locks can be used as it is: parameters that
   * begin with {@code holdfast.} are ignored, except {@code holdfast.namespace}, which sets the
   * namespace of the guard.
   *
   * @throws IllegalArgumentException when the address is not understood; the message has no secrets
   */
  public static RedisFenceGuard connect(String uri) {
    GuardUri address = GuardUri.parse(uri, Set.of());
    return connect(RedisOptions.of(address.store())).inNamespace(address.namespace());
  }

  /**
   * Creates a guard by options; with {@code minReplicas}, so many replicas must confirm a claim.
   */
  public static RedisFenceGuard connect(RedisOptions options) {
    ServerTopology topology =
        Topologies.open(options, OPERATION_TIMEOUT, new ServerCheck(options.strict()));
    return of(
        new Shared(
            topology,
            ScriptRunner.sharing(
                "the guard of " + topology.address() + " is closed", topology::connect),
            options.minReplicas()));
  }

  /** Creates a guard over a caller-supplied client, which the caller closes. */
  public static RedisFenceGuard over(UnifiedJedis client) {
    ServerTopology topology = JedisClientTopology.over(client, false, 0);
    return of(new Shared(topology, ScriptRunner.pooled(topology::connect), 0));
  }

  private static RedisFenceGuard of(Shared shared) {
    return new RedisFenceGuard(shared, new FenceKeys(NAMESPACE, ""));
  }

  /** {@inheritDoc} Both guards share one connection. */
  @Override
  public RedisFenceGuard inNamespace(String namespace) {
    return new RedisFenceGuard(shared, new FenceKeys(namespace, keys.dataTag()));
  }

  /**
   * Returns a guard whose records are in the slot of a key of the program: for clusters.
   *
   * @param key with a tag in braces, such as {@code {orders}:42}, or without any; all keys with the
   *     same tag are as good
   */
  public RedisFenceGuard beside(String key) {
    return new RedisFenceGuard(shared, keys.besideKey(key));
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreUnavailableException when there was no reply; claim again
   * @throws LockRefusedException for lack of rights, or when something else is under the record's
   *     key
   */
  @Override
  public void claim(String resource, long token, String holdId) {
    check(new Claim(resource, token, holdId, true));
  }

  /**
   * {@inheritDoc}
   *
   * @throws StoreUnavailableException when there was no reply; ask again
   * @throws LockRefusedException for lack of rights, or when something else is under the record's
   *     key
   */
  @Override
  public void admit(String resource, long token, String holdId) {
    check(new Claim(resource, token, holdId, false));
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
   * @throws OutcomeUnknownException when there was no reply: it ran or it did not
   * @throws LockRefusedException for lack of rights, when something else is under the record's key,
   *     or when a cluster keeps the keys on several servers
   * @throws IllegalStateException when the script failed; Redis keeps what it wrote before
   */
  public @Nullable Object run(String resource, long token, String holdId, GuardedWrite write) {
    return write(new Claim(resource, token, holdId, true), write);
  }

  /**
   * Writes as one of several holders, in the namespace of the hold; see {@link #runShared(String,
   * long, String, GuardedWrite)}.
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
    return write(new Claim(resource, token, holdId, false), write);
  }

  private void check(Claim claim) {
    GuardSteps.check(
        claim.resource(),
        () ->
            requirePassed(
                claim,
                run(
                    new ScriptCall(
                        claim.exclusive() ? CLAIM : ADMIT,
                        List.of(keys.key(claim.resource())),
                        claim.args(),
                        claim.exclusive()))));
  }

  private @Nullable Object write(Claim claim, GuardedWrite write) {
    return GuardSteps.write(
            claim.resource(),
            () -> {
              ReplyWords words = run(call(claim, write));
              requirePassed(claim, words);
              return Optional.ofNullable(result(words));
            })
        .orElse(null);
  }

  /** Appends the program's script to ours; it gets the keys and arguments after ours. */
  private ScriptCall call(Claim claim, GuardedWrite write) {
    Script script =
        WRITE.then(
            "guarded write", "return guarded(function(KEYS, ARGV)\n" + write.lua() + "\nend)\n");
    List<byte[]> all = new ArrayList<>();
    all.add(keys.key(claim.resource()));
    all.addAll(ScriptCall.bytes(write.keys().toArray(String[]::new)));
    List<byte[]> args = claim.args();
    args.addAll(ScriptCall.bytes(write.args().toArray(String[]::new)));
    return new ScriptCall(script, all, args, true);
  }

  private ReplyWords run(ScriptCall call) throws EngineException {
    ScriptReply reply = shared.runner.run(call);
    ReplyWords words = ReplyWords.of(reply);
    int replicas = ((ScriptReply.Value) reply).replicas();
    if (replicas != ScriptReply.NOT_ASKED && replicas < shared.minReplicas) {
      throw new EngineException.Unknown(
          shared.topology.address()
              + " is not safely replicated: fewer than "
              + shared.minReplicas
              + " replicas confirmed the claim in time; check them, or lower minReplicas",
          null);
    }
    return words;
  }

  private void requirePassed(Claim claim, ReplyWords words) {
    switch (words.first()) {
      case "K" -> {}
      case "S" ->
          throw new StaleTokenException(
              claim.resource(), claim.token(), Long.parseLong(words.text(1)));
      case "E" ->
          throw new IllegalStateException(
              "the guarded script for "
                  + claim.resource()
                  + " failed, and what it wrote before stays: "
                  + words.text(1));
      default ->
          throw new LockRefusedException(
              "the fence record of "
                  + claim.resource()
                  + " at "
                  + shared.topology.address()
                  + " is not one of Holdfast's; it was left untouched, and nothing was written",
              null);
    }
  }

  /** Returns what the program's script returned, in types of Java. */
  private static @Nullable Object result(ReplyWords words) {
    return words.parts().size() < 2 ? null : plain(words.parts().get(1));
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> all = new ArrayList<>(list.size());
      for (Object each : list) {
        all.add(plain(each));
      }
      return all;
    }
    return value == ScriptReply.Nil.NIL ? null : value;
  }

  /**
   * Ends the guard's own connection, for the guards made from it too; a caller-supplied client
   * stays open.
   */
  @Override
  public void close() {
    shared.runner.close();
    shared.topology.close();
  }
}
