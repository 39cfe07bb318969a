package io.holdfast.redis.wire;

import java.util.List;

/** Trips to servers that are asked together. */
final class Rounds {

  /** A script that a server does not know is sent once more, in full. */
  static final int IN_FULL_AS_WELL = 2;

  private Rounds() {}

  /** The trip of what is open, already sent. */
  static Trip send(Link link, List<Errand> errands) {
    Trip trip = new Trip(link, Replicas.NONE);
    errands.stream().filter(Errand::isOpen).forEach(trip::add);
    trip.send();
    return trip;
  }

  /** Reads the answers; false if the connection broke, and must not be used again. */
  static boolean receive(Trip trip) {
    String from = trip.link().address().toString();
    trip.receive((errand, value, replicas) -> errand.answer(value, replicas, from));
    return !trip.isBroken();
  }

  static boolean isOpen(List<Errand> errands) {
    return errands.stream().anyMatch(Errand::isOpen);
  }

  /** All of it at one server; false if the connection broke. */
  static boolean run(Link link, List<Errand> errands) {
    for (int i = 0; i < IN_FULL_AS_WELL && isOpen(errands); i++) {
      if (!receive(send(link, errands))) {
        return false;
      }
    }
    return true;
  }
}
