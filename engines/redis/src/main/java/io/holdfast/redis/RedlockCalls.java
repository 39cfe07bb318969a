package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Script;
import io.holdfast.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the calls to each master.
 *
 * <pre>
 * {hf:1a2}:b:redlock       the bucket: highest ballot, generations, run id
 * {hf:1a2}:r:NS:NAME       who is in
 * {hf:1a2}:p:NS:NAME       who waited last
 * {hf:1a2}:y:TICKET        up to which ballot a ticket must not come back
 * </pre>
 */
final class RedlockCalls {

  /** Above every ballot: all that the ticket ever asked for. */
  static final long EVERY_BALLOT = (1L << 53) - 1;

  /** As long as a waiting client takes to ask again, and some more. */
  private static final Duration MARK = Duration.ofMillis(1_500);

  private static final byte[] RECORD = "redlock".getBytes(StandardCharsets.US_ASCII);

  private RedlockCalls() {}

  static int bucket(Ticket ticket) {
    return Layout.bucket(Layout.path(ticket.resource()));
  }

  /**
   * Whether a ticket may be put in with this ballot; if it is in with a lower one, may raise it.
   */
  static Call attempt(Ticket ticket, long ballot, boolean raises) {
    return call(
        RedlockScripts.ATTEMPT,
        ticket,
        ticket.id().encoded(),
        millis(ticket.lease()),
        "g:" + ticket.resource().namespace(),
        Integer.toString(ticket.generation()),
        Long.toString(ballot),
        flag(raises),
        flag(ticket.waits()),
        Long.toString(RedlockBallots.SLACK),
        millis(MARK),
        Long.toString(EVERY_BALLOT),
        OwnerText.write(ticket.owner()));
  }

  static Call renew(Ticket ticket) {
    return call(RedlockScripts.RENEW, ticket, ticket.id().encoded(), millis(ticket.lease()));
  }

  /** Takes the ticket out for good; with a tombstone if something of it may still be on its way. */
  static Call leave(Ticket ticket, boolean tombstone) {
    return leave(ticket, EVERY_BALLOT, tombstone, true);
  }

  /** Takes back what the ticket asked for with ballots up to this one; it goes on waiting. */
  static Call undo(Ticket ticket, long ballot, boolean tombstone) {
    return leave(ticket, ballot, tombstone, false);
  }

  private static Call leave(Ticket ticket, long upTo, boolean tombstone, boolean all) {
    return call(
        RedlockScripts.LEAVE,
        ticket,
        ticket.id().encoded(),
        Long.toString(upTo),
        tombstone ? millis(ticket.lease()) : "0",
        flag(all));
  }

  private static Call call(Script script, Ticket ticket, String... words) {
    List<byte[]> args = new ArrayList<>(words.length);
    for (String word : words) {
      args.add(word.getBytes(StandardCharsets.UTF_8));
    }
    return new Call(script, keys(ticket), args, false);
  }

  private static List<byte[]> keys(Ticket ticket) {
    byte[] path = Layout.path(ticket.resource());
    int bucket = Layout.bucket(path);
    byte[] id = ticket.id().encoded().getBytes(StandardCharsets.US_ASCII);
    return List.of(
        Layout.key(bucket, 'r', path),
        Layout.key(bucket, 'p', path),
        Layout.key(bucket, 'b', RECORD),
        Layout.key(bucket, 'y', id));
  }

  /** Rounded up: no master keeps less than it was asked to. */
  private static String millis(Duration time) {
    long millis = time.toMillis();
    return Long.toString(time.minusMillis(millis).isZero() ? millis : millis + 1);
  }

  private static String flag(boolean on) {
    return on ? "1" : "0";
  }
}
