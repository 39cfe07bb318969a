package io.holdfast.redis.wire;

import io.holdfast.spi.EngineException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Errands over one connection: all out, all answers in, with the word of the replicas at the end.
 * Sending and receiving are apart, so that trips to several servers happen at the same time.
 */
final class Trip {

  /** What happens to an answer. */
  interface Taker {
    void take(Errand errand, Object value, int replicas);
  }

  private final Link link;
  private final Replicas replicas;
  private final List<Errand> errands = new ArrayList<>();
  private final List<Boolean> asking = new ArrayList<>();
  private final List<Object> values = new ArrayList<>();
  private int confirmed = Reply.NOT_ASKED;
  private @Nullable JedisException broken;
  private long sentAt;

  Trip(Link link, Replicas replicas) {
    this.link = link;
    this.replicas = replicas;
  }

  Link link() {
    return link;
  }

  boolean isBroken() {
    return broken != null;
  }

  void add(Errand errand) {
    errands.add(errand);
    asking.add(errand.isAsking());
  }

  /** When it was sent, by {@code nanoTime}. */
  long sentAt() {
    return sentAt;
  }

  /** Returns whether replies have begun to arrive by then; a broken trip is over at once. */
  boolean isReadyWithin(int millis) {
    if (broken != null) {
      return true;
    }
    try {
      return link.awaitReply(millis);
    } catch (JedisException e) {
      broken = e;
      return true;
    }
  }

  void send() {
    sentAt = System.nanoTime();
    try {
      for (int i = 0; i < errands.size(); i++) {
        if (asking.get(i)) {
          link.sendCommand(Command.ASKING);
        }
        errands.get(i).put(link);
      }
      if (replicas.areAsked(errands)) {
        replicas.ask(link);
      }
      link.push();
    } catch (JedisException e) {
      broken = e;
    }
  }

  /** Reads all answers and hands them out; what has none counts as unknown. */
  void receive(Taker taker) {
    read();
    int heard = values.size();
    for (int i = 0; i < errands.size(); i++) {
      Errand errand = errands.get(i);
      boolean unsure = broken != null && (i >= heard || errand.isAcknowledged());
      if (unsure) {
        errand.fail(unknown());
      } else {
        taker.take(errand, values.get(i), confirmed);
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
          link.receive();
        }
        values.add(link.receive());
      }
      if (replicas.areAsked(errands)) {
        confirmed = Replicas.count(link.receive());
      }
    } catch (JedisException e) {
      broken = e;
    }
  }

  private EngineException unknown() {
    return new EngineException.Unknown(
        link.address() + " broke off: " + PlainText.of(broken), broken);
  }
}
