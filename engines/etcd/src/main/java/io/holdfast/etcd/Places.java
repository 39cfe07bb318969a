package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What this client knows of its tickets in the store: where each stands, and until when it was
 * asked to be kept. The store keeps tickets as long as the client's lease; one that was not renewed
 * in its own time is taken out by its client, with the verb that comes next.
 *
 * <p>A ticket whose time is over is never renewed again: from the moment that it is chosen to be
 * taken out, renewing it answers that it is gone, though it may still be in the store.
 */
final class Places {

  /**
   * A ticket in the store.
   *
   * @param revision at which it joined; 0 for one of which it is not known whether it did
   * @param lease that it hangs on
   * @param in whether it was told that it is in
   * @param end when it is taken out unless it is asked for again
   * @param sure until when the store is sure to keep it, as counted when it was last kept
   */
  record Place(
      Ticket.Id id,
      ByteString key,
      long revision,
      long lease,
      boolean in,
      int ahead,
      long end,
      long sure) {

    /** Of one that may be in the store under that key. */
    static Place doubtful(Ticket.Id id, ByteString key) {
      return new Place(id, key, 0, 0, false, 0, 0, 0);
    }

    boolean isDoubtful() {
      return revision == 0;
    }

    Place until(long newEnd) {
      return new Place(id, key, revision, lease, in, ahead, newEnd, sure);
    }
  }

  private static final int PATIENCE = 4;

  private final Map<Ticket.Id, Place> places = new HashMap<>();
  private final Map<Ticket.Id, Place> ended = new HashMap<>();
  private final List<Place> late = new ArrayList<>();
  private final Map<Ticket.Id, Integer> busy = new HashMap<>();

  /** Those of which something may be in the store that is not known here. */
  private final Set<Ticket.Id> doubtful = new HashSet<>();

  private final Pegs pegs = new Pegs();

  /** By the time that each has: in each, those that end first come first. */
  private final Map<Duration, LinkedHashMap<Ticket.Id, Place>> byEnd = new HashMap<>();

  private final LongSupplier nanoTime;

  Places(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** A verb begins: until {@link #end} its ticket is not taken out. */
  synchronized void begin(Ticket.Id id) {
    busy.merge(id, 1, Integer::sum);
  }

  synchronized void end(Ticket.Id id) {
    busy.computeIfPresent(id, (ticket, times) -> times == 1 ? null : times - 1);
    giveBackPeg(id);
  }

  /** The key of a ticket; for its verbs, between {@link #begin} and {@link #end}. */
  synchronized ByteString key(Ticket ticket, Keys keys) {
    return pegs.of(ticket, keys);
  }

  /** Whether this engine has a key for the ticket: if not, another engine may have joined it. */
  synchronized boolean has(Ticket.Id id) {
    return pegs.find(id) != null;
  }

  /** The ticket hangs on a key that another engine has made. */
  synchronized void adopt(Ticket ticket, Keys keys, ByteString key) {
    pegs.adopt(ticket, keys, key);
  }

  /** Whether a ticket of this engine has that key. */
  synchronized boolean hasMade(ByteString key) {
    return pegs.has(key);
  }

  /** See {@link Pegs#knownUpTo}. */
  synchronized long knownUpTo(Ticket.Id id, Keys keys) {
    return pegs.knownUpTo(id, keys);
  }

  /** See {@link Pegs#know}. */
  synchronized void know(Ticket.Id id, Keys keys, long revision) {
    pegs.know(id, keys, revision);
  }

  /** A verb of the ticket failed: its key is kept from others unless all is known of it. */
  synchronized void failed(Ticket.Id id, EngineException why) {
    boolean clear =
        why instanceof EngineException.NotDone || why instanceof EngineException.Refused;
    if (!clear) {
      doubt(id);
    }
  }

  /**
   * The ticket may be in the store, now or later: until {@link #gone}, or until nobody has asked
   * for it for some leases and its key is taken out.
   */
  synchronized void doubt(Ticket.Id id) {
    doubtful.add(id);
    pegs.startAnew();
    if (!places.containsKey(id) && !ended.containsKey(id)) {
      takeOutLater(id);
    }
  }

  /*
   * Why one that is in doubt may be forgotten: its key is of a series that was ended when the doubt
   * began, so nobody takes it again. From the moment that the key is chosen to be taken out, the
   * ticket has it no more either; if it comes again, it is on another key. So whatever hangs on the
   * old one nobody believes in, and it can be deleted without a look, early or late.
   */
  private void takeOutLater(Ticket.Id id) {
    ByteString key = pegs.find(id);
    if (key == null) {
      doubtful.remove(id);
    } else {
      Duration time = pegs.lease(id).multipliedBy(PATIENCE);
      forget(id);
      byEnd
          .computeIfAbsent(time, l -> new LinkedHashMap<>())
          .put(id, Place.doubtful(id, key).until(nanoTime.getAsLong() + time.toNanos()));
    }
  }

  /** What hangs on the ticket's key is not the ticket: it gets another key with its next verb. */
  synchronized void changeKey(Ticket.Id id) {
    forget(id);
    pegs.giveBack(id);
    pegs.startAnew();
  }

  private void giveBackPeg(Ticket.Id id) {
    boolean stays =
        busy.containsKey(id)
            || places.containsKey(id)
            || ended.containsKey(id)
            || doubtful.contains(id);
    if (!stays) {
      pegs.giveBack(id);
    }
  }

  /**
   * The ticket with what is left to it, if that is more than its lease: it is in for that long
   * already, and its end never comes nearer. Its holder may not hear what became of it.
   */
  synchronized Ticket noShorter(Ticket ticket) {
    Place place = places.get(ticket.id());
    if (place == null || !place.in()) {
      return ticket;
    }
    Duration left = Duration.ofNanos(place.end() - nanoTime.getAsLong());
    return left.compareTo(ticket.lease()) > 0 ? ticket.withLease(left) : ticket;
  }

  /** Where a ticket stands, if it does. */
  synchronized @Nullable Place find(Ticket.Id id) {
    return places.get(id);
  }

  /** One whose time is over and that may still be in the store. */
  synchronized @Nullable Place findEnded(Ticket.Id id) {
    return ended.get(id);
  }

  /**
   * A ticket that stands there is in, and was kept from now on.
   *
   * @param sure until when the store is sure to keep it
   */
  synchronized void keep(Ticket ticket, ByteString key, long revision, long lease, long sure) {
    keep(ticket, new Place(ticket.id(), key, revision, lease, true, 0, 0, sure), ticket.lease());
  }

  /**
   * Where a ticket stands whose time was fixed, if it has more of it left than this renewal asks
   * for: then there is nothing to keep.
   */
  synchronized @Nullable Place fixedFor(Ticket ticket) {
    Place place = ticket.fixed() ? places.get(ticket.id()) : null;
    boolean longer =
        place != null
            && place.in()
            && place.sure() - nanoTime.getAsLong() >= ticket.lease().toNanos();
    return longer ? place : null;
  }

  /**
   * As {@link #keep}, for one that waits; answers how many are ahead of it at most. It has more
   * time: many waiters of one name ask one after another, and one that is only late must not lose
   * its place. A client that is dead does not keep its lease, so its waiters go with that.
   */
  synchronized int keepWaiting(
      Ticket ticket, ByteString key, long revision, long lease, int ahead) {
    Place before = places.get(ticket.id());
    int least =
        before != null && before.revision() == revision ? Math.min(before.ahead(), ahead) : ahead;
    Place place = new Place(ticket.id(), key, revision, lease, false, least, 0, 0);
    keep(ticket, place, ticket.lease().multipliedBy(PATIENCE));
    return least;
  }

  private void keep(Ticket ticket, Place asked, Duration time) {
    forget(ticket.id());
    ended.remove(ticket.id());
    Place place = asked.until(nanoTime.getAsLong() + time.toNanos());
    places.put(ticket.id(), place);
    byEnd.computeIfAbsent(time, l -> new LinkedHashMap<>()).put(ticket.id(), place);
  }

  private void forget(Ticket.Id id) {
    Iterator<LinkedHashMap<Ticket.Id, Place>> all = byEnd.values().iterator();
    while (all.hasNext()) {
      LinkedHashMap<Ticket.Id, Place> some = all.next();
      some.remove(id);
      if (some.isEmpty()) {
        all.remove();
      }
    }
  }

  /** Nothing of the ticket is in the store. */
  synchronized void gone(Ticket.Id id) {
    forget(id);
    places.remove(id);
    ended.remove(id);
    doubtful.remove(id);
    giveBackPeg(id);
  }

  /** Those whose time is over, to be taken out now; each is answered once. */
  synchronized List<Place> over() {
    List<Place> over = new ArrayList<>(late);
    late.clear();
    long now = nanoTime.getAsLong();
    for (LinkedHashMap<Ticket.Id, Place> some : byEnd.values()) {
      Iterator<Place> oldest = some.values().iterator();
      while (oldest.hasNext()) {
        Place place = oldest.next();
        if (place.end() - now > 0) {
          break;
        }
        if (!busy.containsKey(place.id())) {
          oldest.remove();
          end(place);
          over.add(place);
        }
      }
    }
    return over;
  }

  private void end(Place place) {
    if (place.isDoubtful()) {
      doubtful.remove(place.id());
      pegs.giveBack(place.id());
    } else {
      places.remove(place.id());
      ended.put(place.id(), place);
    }
  }

  /** It is out of the store, unless it has come anew, or something of it is still on its way. */
  synchronized void takenOut(Place place) {
    if (ended.remove(place.id(), place) && doubtful.contains(place.id())) {
      takeOutLater(place.id());
    }
    giveBackPeg(place.id());
  }

  /** It could not be taken out: the next verb tries again. It stays over for its holder. */
  synchronized void notTakenOut(Place place) {
    if (place.isDoubtful() || ended.containsKey(place.id())) {
      late.add(place);
    }
  }

  synchronized int size() {
    return places.size();
  }

  /** How many keys are taken. */
  synchronized int pegs() {
    return pegs.size();
  }
}
