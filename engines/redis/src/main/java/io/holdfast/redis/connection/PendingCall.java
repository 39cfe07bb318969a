package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.Response;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** A script call or a Redis command, until it has its reply. */
public final class PendingCall {

  private static final byte[] NO_KEY = new byte[0];

  private final @Nullable ScriptCall call;
  private final byte[][] command;
  private boolean inFull;
  private boolean asking;
  private @Nullable Server next;
  private @Nullable ScriptReply reply;

  private PendingCall(@Nullable ScriptCall call, byte[]... command) {
    this.call = call;
    this.command = command;
  }

  static PendingCall of(ScriptCall call) {
    return new PendingCall(call);
  }

  static PendingCall of(byte[]... command) {
    return new PendingCall(null, command);
  }

  public static List<PendingCall> of(List<ScriptCall> calls) {
    return calls.stream().map(PendingCall::of).toList();
  }

  /** Makes one trip with open calls; returns whether the connection held. */
  public interface TripMaker {

    /** Sends the calls and reads the replies. */
    boolean trip(List<PendingCall> open);
  }

  /**
   * Makes trips until every call has its reply, or the connection breaks. A second trip carries the
   * scripts that a server did not know, in full.
   *
   * @return whether the connection held
   */
  public static boolean run(List<PendingCall> calls, TripMaker maker) {
    return run(calls, 2, maker);
  }

  /** As {@link #run(List, TripMaker)}, with more trips for calls that servers send on. */
  static boolean run(List<PendingCall> calls, int mostTrips, TripMaker maker) {
    boolean whole = true;
    for (int i = 0; i < mostTrips && whole; i++) {
      List<PendingCall> open = calls.stream().filter(PendingCall::isOpen).toList();
      if (open.isEmpty()) {
        break;
      }
      whole = maker.trip(open);
    }
    return whole;
  }

  /** Returns the replies of calls, in their order. */
  public static List<ScriptReply> replies(List<PendingCall> pendingCalls) {
    return pendingCalls.stream().map(PendingCall::reply).toList();
  }

  /** Returns the name that errors show. */
  String name() {
    return call == null ? new String(command[0], StandardCharsets.US_ASCII) : call.script().name();
  }

  /** Returns the key that decides the server; empty if any server will do. */
  byte[] key() {
    if (call != null) {
      return call.keys().isEmpty() ? NO_KEY : call.keys().get(0);
    }
    return command.length < 2 ? NO_KEY : command[1];
  }

  boolean isAcknowledged() {
    return call != null && call.acknowledged();
  }

  /** Returns the server that a redirection named, if there was one. */
  @Nullable Server next() {
    return next;
  }

  /** Returns whether the next server must take it although the slot is still migrating there. */
  boolean isAsking() {
    return asking;
  }

  void redirect(Server to, boolean asks) {
    next = to;
    asking = asks;
  }

  /** Writes it into the buffer, a script by its SHA-1 or in full. */
  void put(RedisConnection connection) {
    if (call != null) {
      connection.sendCommand(
          inFull ? Command.EVAL : Command.EVALSHA, parts(call, connection.runId()));
    } else {
      byte[][] rest = new byte[command.length - 1][];
      System.arraycopy(command, 1, rest, 0, rest.length);
      connection.sendCommand(() -> command[0], rest);
    }
  }

  /** Returns the whole command, without a run id. */
  List<byte[]> words() {
    if (call == null) {
      return List.of(command);
    }
    List<byte[]> words = new ArrayList<>();
    words.add((inFull ? Command.EVAL : Command.EVALSHA).getRaw());
    words.addAll(List.of(parts(call, new byte[0])));
    return words;
  }

  /** Adds a script to a pipeline of a caller-supplied client. */
  Response<Object> put(AbstractPipeline pipeline) {
    ScriptCall what = Objects.requireNonNull(call);
    Script script = what.script();
    return inFull
        ? pipeline.eval(script.source(), what.keys(), args(what))
        : pipeline.evalsha(script.sha(), what.keys(), args(what));
  }

  /** Runs a script alone over a caller-supplied client. */
  @Nullable Object run(UnifiedJedis jedis) {
    ScriptCall what = Objects.requireNonNull(call);
    // In full at once: it is not known which server runs it.
    return jedis.eval(what.script().source(), what.keys(), args(what));
  }

  /** With an empty run id, which is not known of a caller-supplied client. */
  private static List<byte[]> args(ScriptCall what) {
    if (!what.script().wantsRunId()) {
      return what.args();
    }
    List<byte[]> args = new ArrayList<>(what.args());
    args.add(new byte[0]);
    return args;
  }

  private byte[][] parts(ScriptCall what, byte[] runId) {
    Script script = what.script();
    int runIds = script.wantsRunId() ? 1 : 0;
    byte[][] all = new byte[2 + what.keys().size() + what.args().size() + runIds][];
    int at = 0;
    all[at++] = inFull ? script.source() : script.sha();
    all[at++] = Integer.toString(what.keys().size()).getBytes(StandardCharsets.US_ASCII);
    for (byte[] key : what.keys()) {
      all[at++] = key;
    }
    for (byte[] arg : what.args()) {
      all[at++] = arg;
    }
    if (runIds > 0) {
      all[at] = runId;
    }
    return all;
  }

  /** Takes the server's reply; an unknown script stays open, to be sent in full. */
  void answer(Object value, int replicas, String from) {
    if (!(value instanceof JedisDataException error)) {
      reply = new ScriptReply.Value(value, replicas);
      return;
    }
    String said = String.valueOf(error.getMessage());
    if (!inFull && ServerErrors.kind(said).equals(ServerErrors.NO_SCRIPT)) {
      inFull = true;
    } else {
      reply = new ScriptReply.Failed(ServerErrors.of(said, name(), from));
    }
  }

  /** Returns whether it asks for something new; see {@link Script#grants}. */
  boolean grants() {
    return call != null && call.script().grants();
  }

  /** Returns whether it asked for something new, and a server replied with a value. */
  boolean isGranted() {
    return grants() && reply instanceof ScriptReply.Value;
  }

  void fail(EngineException why) {
    reply = new ScriptReply.Failed(why);
  }

  public boolean isOpen() {
    return reply == null;
  }

  ScriptReply reply() {
    return reply == null
        ? new ScriptReply.Failed(new EngineException.Unknown(name() + " got no reply", null))
        : reply;
  }
}
