package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * One round trip of calls over one connection, with the replicas' confirmation at the end.
 *
 * <p>Sending and receiving are separate, so that trips to several servers overlap.
 */
public final class Trip {

  /** Takes the reply of a call. */
  interface Taker {
    void take(PendingCall pendingCall, Object value, int replicas);
  }

  private final RedisConnection connection;
  private final Replicas replicas;
  private final List<PendingCall> pendingCalls = new ArrayList<>();
  private final List<Boolean> asking = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();
  private int confirmed = ScriptReply.NOT_ASKED;
  private @Nullable JedisException broken;
  private long sentAt;

  Trip(RedisConnection connection, Replicas replicas) {
    this.connection = connection;
    this.replicas = replicas;
  }

  /** Makes a whole trip over one connection; returns whether the connection held. */
  public static boolean run(
      RedisConnection connection, Replicas replicas, List<PendingCall> calls) {
    return send(connection, replicas, calls).receive();
  }

  /** Returns a trip whose calls have been sent; {@link #receive()} reads the replies. */
  public static Trip send(RedisConnection connection, Replicas replicas, List<PendingCall> calls) {
    Trip trip = new Trip(connection, replicas);
    calls.forEach(trip::add);
    trip.send();
    return trip;
  }

  /** Reads the replies into the calls; returns whether the connection held. */
  public boolean receive() {
    String from = connection.address().toString();
    receive((pendingCall, value, confirmations) -> pendingCall.answer(value, confirmations, from));
    return !isBroken();
  }

  /** Returns the connection. */
  public RedisConnection connection() {
    return connection;
  }

  boolean isBroken() {
    return broken != null;
  }

  void add(PendingCall pendingCall) {
    pendingCalls.add(pendingCall);
    asking.add(pendingCall.isAsking());
  }

  /** Returns when it was sent, by {@code nanoTime}. */
  long sentAt() {
    return sentAt;
  }

  /** Returns whether replies have begun to arrive in that time; a broken trip is over at once. */
  boolean awaitReplies(int millis) {
    if (broken != null) {
      return true;
    }
    try {
      return connection.awaitReply(millis);
    } catch (JedisException e) {
      broken = e;
      return true;
    }
  }

  void send() {
    sentAt = System.nanoTime();
    try {
      for (int i = 0; i < pendingCalls.size(); i++) {
        if (asking.get(i)) {
          connection.sendCommand(Command.ASKING);
        }
        pendingCalls.get(i).put(connection);
      }
      if (replicas.areAsked(pendingCalls)) {
        replicas.ask(connection);
      }
      connection.push();
    } catch (JedisException e) {
      broken = e;
    }
  }

  /** Reads all replies and passes them on; calls without a reply are unknown. */
  void receive(Taker taker) {
    read();
    int heard = values.size();
    for (int i = 0; i < pendingCalls.size(); i++) {
      PendingCall pendingCall = pendingCalls.get(i);
      boolean unsure = broken != null && (i >= heard || pendingCall.isAcknowledged());
      if (unsure) {
        pendingCall.fail(unknown());
      } else {
        taker.take(pendingCall, values.get(i), confirmed);
      }
    }
  }

  private void read() {
    if (broken != null) {
      return;
    }
    try {
      for (boolean asked : asking) {
        if (asked) {
          connection.receive();
        }
        values.add(connection.receive());
      }
      if (replicas.areAsked(pendingCalls)) {
        confirmed = Replicas.count(connection.receive());
      }
    } catch (JedisException e) {
      broken = e;
    }
  }

  private EngineException unknown() {
    return new EngineException.Unknown(
        connection.address() + " lost the connection: " + PlainText.of(broken), broken);
  }
}
