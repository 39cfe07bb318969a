package io.holdfast.jdbc;

import io.holdfast.spi.Order;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.List;

/** The verbs of a batch by the way that they go. */
final class Sorted {

  private final boolean quick;
  private final List<Verb> attempts = new ArrayList<>();
  private final List<Verb> renewals = new ArrayList<>();
  private final List<Verb> leaves = new ArrayList<>();
  private final List<Verb> rest = new ArrayList<>();

  /**
   * No verbs yet.
   *
   * @param quick whether there is a quick way
   */
  Sorted(boolean quick) {
    this.quick = quick;
  }

  void add(Verb verb) {
    boolean plain = quick && verb.ticket().shape().order() == Order.ANY;
    if (plain && verb instanceof Verb.Attempt) {
      attempts.add(verb);
    } else if (plain && verb instanceof Verb.Renew) {
      renewals.add(verb);
    } else if (plain && verb instanceof Verb.Leave leave && !leave.inDoubt()) {
      leaves.add(verb);
    } else {
      rest.add(verb);
    }
  }

  List<Verb> attempts() {
    return attempts;
  }

  List<Verb> renewals() {
    return renewals;
  }

  List<Verb> leaves() {
    return leaves;
  }

  List<Verb> rest() {
    return rest;
  }
}
