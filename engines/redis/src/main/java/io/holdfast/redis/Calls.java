package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Script;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes the call of a verb: which script, which keys, which words. */
final class Calls {

  private static final String NO_CHANNEL = "-";

  private final Bells bells;
  private final boolean signals;
  private final String publish;
  private final long quarantineMillis;
  private final boolean grantsByBell;
  private final TakenBack takenBack;

  /**
   * Calls of one client.
   *
   * @param signals whether waiters ask to be told
   * @param sharded whether channels belong to slots
   * @param quarantineMillis how long nobody gets in after another process took over, 0 for never
   * @param acknowledged whether replicas must confirm a grant
   * @param takenBack what is taken back because they did not
   */
  Calls(
      Bells bells,
      boolean signals,
      boolean sharded,
      long quarantineMillis,
      boolean acknowledged,
      TakenBack takenBack) {
    this.takenBack = takenBack;
    this.bells = bells;
    this.signals = signals;
    this.publish = sharded ? "SPUBLISH" : "PUBLISH";
    this.quarantineMillis = quarantineMillis;
    this.grantsByBell = quarantineMillis == 0 && !acknowledged;
  }

  /** The command that wakes those who wait. */
  String publish() {
    return publish;
  }

  static boolean isLine(Shape shape) {
    return shape.order() == Order.FIFO;
  }

  /** The letter of a shape in the store. */
  static String letter(Shape shape) {
    return switch (shape.kind()) {
      case MUTEX -> shape.order() == Order.ANY ? "m" : "f";
      case ONCE -> "o";
      case SEMAPHORE -> "s";
      case READ_WRITE -> "w";
    };
  }

  /** The shape of a letter; what we do not know is shown as a line of its capacity. */
  static Shape shape(String letter, int capacity) {
    return switch (letter) {
      case "m" -> Shape.mutex(Order.ANY);
      case "f" -> Shape.mutex(Order.FIFO);
      case "o" -> Shape.once();
      case "w" -> Shape.readWrite();
      default -> Shape.semaphore(Math.max(1, Math.min(capacity, Shape.MAX_PERMITS)));
    };
  }

  /**
   * The call of a verb. A waiting attempt hangs up its bell first: arm, then look.
   *
   * @param reserveMillis how long a free resource should be kept for this client when it is called
   */
  Call of(Verb verb, long reserveMillis) {
    Ticket ticket = verb.ticket();
    boolean line = isLine(ticket.shape());
    if (verb instanceof Verb.Attempt attempt) {
      return line ? lineAttempt(attempt) : anyAttempt(attempt, reserveMillis);
    }
    if (verb instanceof Verb.Renew) {
      return call(
          line ? Scripts.LINE_RENEW : Scripts.ANY_RENEW, ticket, false, id(ticket), lease(ticket));
    }
    if (verb instanceof Verb.Leave leave) {
      return leave(leave);
    }
    if (verb instanceof Verb.Settle settle) {
      return call(Scripts.ANY_SETTLE, ticket, true, id(ticket), millis(settle.keep()), publish);
    }
    return call(
        Scripts.LINE_RESIZE,
        ticket,
        false,
        id(ticket),
        Integer.toString(ticket.generation()),
        Integer.toString(ticket.shape().capacity()),
        publish,
        era(ticket));
  }

  private Call leave(Verb.Leave leave) {
    Ticket ticket = leave.ticket();
    return call(
        isLine(ticket.shape()) ? Scripts.LINE_LEAVE : Scripts.ANY_LEAVE,
        ticket,
        false,
        id(ticket),
        lease(ticket),
        flag(leave.inDoubt()),
        publish);
  }

  /** Takes a grant back; without effect if the ticket has another token by then. */
  Call undo(Unconfirmed grant) {
    Ticket ticket = grant.ticket();
    String token = Long.toString(grant.token());
    if (!isLine(ticket.shape())) {
      return call(Scripts.ANY_UNDO, ticket, false, id(ticket), token, publish);
    }
    return call(
        Scripts.LINE_UNDO,
        ticket,
        false,
        id(ticket),
        token,
        flag(grant.waited() && ticket.waits()),
        publish);
  }

  private Call anyAttempt(Verb.Attempt attempt, long reserveMillis) {
    Ticket ticket = attempt.ticket();
    String channel = channel(ticket);
    // What is needed only now and then is one word: a server pays for each.
    String more =
        ticket.generation()
            + (ticket.waits() ? " 1 " : " 0 ")
            + reserveMillis
            + ' '
            + channel
            + ' '
            + bell(attempt, channel)
            + ' '
            + era(ticket)
            + ' '
            + quarantineMillis
            + ' '
            + takenBack.word(ticket);
    boolean plain = quarantineMillis == 0 && ticket.generation() == 0;
    String letter = letter(ticket.shape());
    return call(
        quarantineMillis == 0 ? Scripts.ANY_ATTEMPT : Scripts.ANY_ATTEMPT_STRICT,
        ticket,
        true,
        id(ticket),
        lease(ticket),
        plain ? letter : letter.toUpperCase(Locale.ROOT),
        OwnerText.write(ticket.owner()),
        more);
  }

  private Call lineAttempt(Verb.Attempt attempt) {
    Ticket ticket = attempt.ticket();
    String channel = channel(ticket);
    return call(
        quarantineMillis == 0 ? Scripts.LINE_ATTEMPT : Scripts.LINE_ATTEMPT_STRICT,
        ticket,
        true,
        id(ticket),
        lease(ticket),
        Integer.toString(ticket.generation()),
        letter(ticket.shape()),
        Integer.toString(ticket.shape().capacity()),
        Integer.toString(ticket.weight()),
        flag(ticket.waits()),
        OwnerText.write(ticket.owner()),
        channel,
        lineBell(attempt, channel),
        publish,
        era(ticket),
        Long.toString(quarantineMillis),
        takenBack.word(ticket));
  }

  private String channel(Ticket ticket) {
    return signals && ticket.waits()
        ? bells.channel(Layout.bucket(Layout.path(ticket.resource())))
        : NO_CHANNEL;
  }

  private String bell(Verb.Attempt attempt, String channel) {
    Ticket ticket = attempt.ticket();
    return signals && ticket.waits()
        ? bells.hang(ticket, channel, attempt.wake()).text()
        : NO_CHANNEL;
  }

  /**
   * What is granted by a bell is not looked at again: no replica is asked, no generation raised.
   */
  private String lineBell(Verb.Attempt attempt, String channel) {
    Ticket ticket = attempt.ticket();
    boolean mayGrant = grantsByBell && ticket.generation() == 0;
    String bell = bell(attempt, channel);
    return mayGrant && !bell.equals(NO_CHANNEL) ? Bell.GRANTS + bell : bell;
  }

  private static Call call(Script script, Ticket ticket, boolean acknowledged, String... words) {
    List<byte[]> args = new ArrayList<>(words.length);
    for (String word : words) {
      args.add(word.getBytes(StandardCharsets.UTF_8));
    }
    List<byte[]> keys = isLine(ticket.shape()) ? Layout.lineKeys(ticket) : Layout.anyKeys(ticket);
    return new Call(script, keys, args, acknowledged);
  }

  /** Generations belong to a namespace: those who share a store need not raise theirs together. */
  private static String era(Ticket ticket) {
    return "g:" + ticket.resource().namespace();
  }

  static String id(Ticket ticket) {
    return ticket.id().encoded();
  }

  static String lease(Ticket ticket) {
    return millis(ticket.lease());
  }

  /** Rounded up: the store never keeps less than it was asked to. */
  private static String millis(Duration time) {
    long millis = time.toMillis();
    boolean whole = time.minusMillis(millis).isZero();
    return Long.toString(whole ? millis : millis + 1);
  }

  private static String flag(boolean on) {
    return on ? "1" : "0";
  }
}
