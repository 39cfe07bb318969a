package io.holdfast.redis.wire;

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

/** One call, or one command of the store's own, on its way, until it has its reply. */
final class Errand {

  private static final byte[] NO_KEY = new byte[0];

  private final @Nullable Call call;
  private final byte[][] command;
  private boolean inFull;
  private boolean asking;
  private @Nullable Server next;
  private @Nullable Reply reply;

  private Errand(@Nullable Call call, byte[]... command) {
    this.call = call;
    this.command = command;
  }

  static Errand of(Call call) {
    return new Errand(call);
  }

  static Errand of(byte[]... command) {
    return new Errand(null, command);
  }

  static List<Errand> of(List<Call> calls) {
    return calls.stream().map(Errand::of).toList();
  }

  static List<Reply> replies(List<Errand> errands) {
    return errands.stream().map(Errand::reply).toList();
  }

  /** For errors. */
  String name() {
    return call == null ? new String(command[0], StandardCharsets.US_ASCII) : call.script().name();
  }

  /** What decides which server it goes to; empty when it does not matter. */
  byte[] key() {
    if (call != null) {
      return call.keys().isEmpty() ? NO_KEY : call.keys().get(0);
    }
    return command.length < 2 ? NO_KEY : command[1];
  }

  boolean isAcknowledged() {
    return call != null && call.acknowledged();
  }

  /** Where a server has said that it is to go, if one has. */
  @Nullable Server next() {
    return next;
  }

  /** Whether the next server is to take it although the slot is still on its way there. */
  boolean isAsking() {
    return asking;
  }

  void redirect(Server to, boolean asks) {
    next = to;
    asking = asks;
  }

  /** Puts it into the buffer, a script by its name or in full. */
  void put(Link link) {
    if (call != null) {
      link.sendCommand(inFull ? Command.EVAL : Command.EVALSHA, parts(call, link.runId()));
    } else {
      byte[][] rest = new byte[command.length - 1][];
      System.arraycopy(command, 1, rest, 0, rest.length);
      link.sendCommand(() -> command[0], rest);
    }
  }

  /** The whole command, without a run id. */
  List<byte[]> words() {
    if (call == null) {
      return List.of(command);
    }
    List<byte[]> words = new ArrayList<>();
    words.add((inFull ? Command.EVAL : Command.EVALSHA).getRaw());
    words.addAll(List.of(parts(call, new byte[0])));
    return words;
  }

  /** Puts it into somebody's pipeline; commands do not go there. */
  Response<Object> put(AbstractPipeline pipeline) {
    Call what = Objects.requireNonNull(call);
    Script script = what.script();
    return inFull
        ? pipeline.eval(script.source(), what.keys(), args(what))
        : pipeline.evalsha(script.sha(), what.keys(), args(what));
  }

  /** Runs it by itself over somebody's client. */
  @Nullable Object run(UnifiedJedis jedis) {
    Call what = Objects.requireNonNull(call);
    // In full at once: which server it will meet is not known.
    return jedis.eval(what.script().source(), what.keys(), args(what));
  }

  /** With nothing for the run id, which somebody else's client does not tell. */
  private static List<byte[]> args(Call what) {
    if (!what.script().wantsRunId()) {
      return what.args();
    }
    List<byte[]> args = new ArrayList<>(what.args());
    args.add(new byte[0]);
    return args;
  }

  private byte[][] parts(Call what, byte[] runId) {
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

  /** Takes the server's answer; a script that it does not know stays open, to be sent in full. */
  void answer(Object value, int replicas, String from) {
    if (!(value instanceof JedisDataException error)) {
      reply = new Reply.Value(value, replicas);
      return;
    }
    String said = String.valueOf(error.getMessage());
    if (!inFull && ServerErrors.kind(said).equals(ServerErrors.NO_SCRIPT)) {
      inFull = true;
    } else {
      reply = new Reply.Failed(ServerErrors.of(said, name(), from));
    }
  }

  /** Whether it asks for something new; see {@link Script#grants}. */
  boolean grants() {
    return call != null && call.script().grants();
  }

  /** Whether it asked for something new, and a server has replied. */
  boolean isGranted() {
    return grants() && reply instanceof Reply.Value;
  }

  void fail(EngineException why) {
    reply = new Reply.Failed(why);
  }

  boolean isOpen() {
    return reply == null;
  }

  Reply reply() {
    return reply == null
        ? new Reply.Failed(new EngineException.Unknown(name() + " got no answer", null))
        : reply;
  }
}
