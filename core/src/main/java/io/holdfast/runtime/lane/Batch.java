package io.holdfast.runtime.lane;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Verb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Selects the verbs that go to the store in one trip. */
public final class Batch {

  private Batch() {}

  /**
   * Takes the next batch out of a queue: in order, with only one attempt for a resource, because
   * two joins in one transaction may both see themselves first. The others wait for the next batch.
   */
  public static List<Verb> next(Set<Verb> queue, int most) {
    List<Verb> next = new ArrayList<>();
    Set<Resource> asked = new HashSet<>();
    for (Iterator<Verb> verbs = queue.iterator(); verbs.hasNext() && next.size() < most; ) {
      Verb verb = verbs.next();
      if (!(verb instanceof Verb.Attempt) || asked.add(verb.ticket().resource())) {
        next.add(verb);
        verbs.remove();
      }
    }
    return next;
  }
}
