package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Script;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the verbs of a batch into parcels. Attempts and leaves without an order that nobody is
 * expected to be in the way of go together: a script by itself costs a server more than what it
 * does.
 */
final class Packing {

  /*
   * Verbs of one batch have no order among them: their tickets differ, and none of their callers
   * has an answer yet that another could have waited for. So those that go together may overtake
   * the others. A script that does several is still one atomic step, of which each verb's part
   * either does what the verb's own script would have done at this moment, or nothing; one about
   * which it did nothing is asked by its own script in the next trip, as if it had come then.
   */

  /** No server should be kept from others for long by one call. */
  static final int MOST = 64;

  private final Calls calls;
  private final Bells bells;
  private final boolean together;

  /**
   * Packing of one client.
   *
   * @param together whether a call may have keys of several buckets
   */
  Packing(Calls calls, Bells bells, boolean together) {
    this.calls = calls;
    this.bells = bells;
    this.together = together;
  }

  /** All verbs in parcels of one or many; a waiting attempt in one of its own hangs up its bell. */
  List<Parcel> pack(List<Verb> verbs, long reserveMillis) {
    if (!together || verbs.size() == 1) {
      return apart(verbs, reserveMillis);
    }
    List<Verb> attempts = new ArrayList<>();
    List<Verb> leaves = new ArrayList<>();
    List<Verb> others = new ArrayList<>();
    for (Verb verb : verbs) {
      (isQuickAttempt(verb) ? attempts : isQuickLeave(verb) ? leaves : others).add(verb);
    }
    List<Parcel> parcels = new ArrayList<>();
    pack(leaves, parcels, others);
    pack(attempts, parcels, others);
    parcels.addAll(apart(others, reserveMillis));
    return parcels;
  }

  /** Each by itself. */
  List<Parcel> apart(List<Verb> verbs, long reserveMillis) {
    List<Parcel> parcels = new ArrayList<>(verbs.size());
    for (Verb verb : verbs) {
      parcels.add(new Parcel(List.of(verb), calls.of(verb, reserveMillis)));
    }
    return parcels;
  }

  private static void pack(List<Verb> quick, List<Parcel> parcels, List<Verb> others) {
    for (int from = 0; from < quick.size(); from += MOST) {
      List<Verb> some = quick.subList(from, Math.min(from + MOST, quick.size()));
      if (some.size() == 1) {
        others.addAll(some);
      } else {
        parcels.add(new Parcel(some, call(some)));
      }
    }
  }

  /** One that has a bell was told to wait before: somebody is in the way. */
  private boolean isQuickAttempt(Verb verb) {
    Ticket ticket = verb.ticket();
    return verb instanceof Verb.Attempt
        && !Calls.isLine(ticket.shape())
        && ticket.generation() == 0
        && !bells.hangs(ticket.id());
  }

  private static boolean isQuickLeave(Verb verb) {
    return verb instanceof Verb.Leave leave
        && !Calls.isLine(leave.ticket().shape())
        && !leave.inDoubt();
  }

  private static Call call(List<Verb> quick) {
    boolean attempts = quick.get(0) instanceof Verb.Attempt;
    List<byte[]> keys = new ArrayList<>(4 * quick.size());
    List<byte[]> args = new ArrayList<>(3 * quick.size());
    for (Verb verb : quick) {
      Ticket ticket = verb.ticket();
      keys.addAll(attempts ? Layout.quickKeys(ticket) : Layout.leaveKeys(ticket));
      args.add(bytes(held(ticket)));
      if (attempts) {
        String lease = Calls.lease(ticket);
        args.add(bytes(" " + lease + " " + OwnerText.write(ticket.owner())));
        args.add(bytes(lease));
      }
    }
    Script script = attempts ? Scripts.QUICK_ATTEMPTS : Scripts.QUICK_LEAVES;
    return new Call(script, keys, args, false);
  }

  /** What the value of a lock begins with that this ticket holds; see {@code any-keys.lua}. */
  private static String held(Ticket ticket) {
    Shape shape = ticket.shape();
    return Calls.letter(shape) + " " + Calls.id(ticket) + " ";
  }

  private static byte[] bytes(String word) {
    return word.getBytes(StandardCharsets.UTF_8);
  }
}
