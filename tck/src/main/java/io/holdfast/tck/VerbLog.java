package io.holdfast.tck;

import io.holdfast.spi.Ticket;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The verbs that reached the store, and violations of the rules for the runtime. */
final class VerbLog {

  private final ReentrantLock lock = new ReentrantLock();
  private final List<FaultyEngine.Seen> seen = new ArrayList<>();
  private final Map<Ticket.Id, Verb> underWay = new HashMap<>();
  private final List<String> breaches = new ArrayList<>();

  /** Records a verb that is about to reach the store; returns the recorder of its result. */
  Consumer<Object> reaches(Verb verb) {
    lock.lock();
    try {
      int number = seen.size();
      seen.add(new FaultyEngine.Seen(number, VerbKind.of(verb), verb.ticket(), "no reply yet"));
      return answer -> answered(number, answer);
    } finally {
      lock.unlock();
    }
  }

  private void answered(int number, Object answer) {
    lock.lock();
    try {
      FaultyEngine.Seen before = seen.get(number);
      seen.set(
          number, new FaultyEngine.Seen(number, before.kind(), before.ticket(), answer.toString()));
    } finally {
      lock.unlock();
    }
  }

  /** Checks a batch: one verb at a time for each ticket, one attempt for each resource. */
  void sent(List<Verb> batch) {
    lock.lock();
    try {
      Set<Object> attempted = new HashSet<>();
      for (Verb verb : batch) {
        Verb before = underWay.put(verb.ticket().id(), verb);
        // A verb that took too long was completed as unknown, though the engine still works on it.
        if (before != null && !before.isComplete()) {
          breaches.add("two verbs at a time for " + verb.ticket());
        }
        if (verb instanceof Verb.Attempt && !attempted.add(verb.ticket().resource())) {
          breaches.add("two attempts in one batch for " + verb.ticket().resource());
        }
      }
    } finally {
      lock.unlock();
    }
  }

  void done(Verb verb) {
    lock.lock();
    try {
      underWay.remove(verb.ticket().id(), verb);
    } finally {
      lock.unlock();
    }
  }

  List<FaultyEngine.Seen> all() {
    lock.lock();
    try {
      return List.copyOf(seen);
    } finally {
      lock.unlock();
    }
  }

  List<String> breaches() {
    lock.lock();
    try {
      return List.copyOf(breaches);
    } finally {
      lock.unlock();
    }
  }
}
