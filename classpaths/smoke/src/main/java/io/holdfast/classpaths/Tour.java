package io.holdfast.classpaths;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.ids.Ids;
import io.holdfast.ids.LongIds;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What programs do with a store: lock, wait, be woken, lose, release, count ids. */
final class Tour {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final String NAME = "tour/lock";
  private static final int IDS = 100;

  private final Holdfast mine;
  private final Holdfast other;

  Tour(Holdfast mine, Holdfast other) {
    this.mine = mine;
    this.other = other;
  }

  void run() throws Exception {
    long token = lockAndWait();
    if (mine.inspector().isPresent()) {
      token = lose(mine.inspector().get(), token);
    }
    try (Hold hold = other.lock(NAME).acquire(LONG)) {
      require(hold.token() > token, "tokens rise: " + hold.token() + " after " + token);
    }
    if (mine.counter().isPresent()) {
      countIds();
    }
  }

  /** A second client finds it busy, waits, and has it once the first has given it back. */
  private long lockAndWait() throws Exception {
    Hold first = mine.lock(NAME).acquire(LONG);
    require(other.lock(NAME).tryAcquire().isEmpty(), "held by one client, and given to another");
    CompletableFuture<Hold> next = other.lock(NAME).acquireAsync(LONG);
    require(first.release() == Outcome.RELEASED, "the release was not confirmed");
    Hold second = next.get(LONG.toSeconds() + 1, TimeUnit.SECONDS);
    require(second.isHeld(), "acquired and not held");
    require(second.token() > first.token(), "tokens do not rise");
    require(second.release() == Outcome.RELEASED, "the second release was not confirmed");
    return second.token();
  }

  /** An operator sees it and takes it away, and its holder is told. */
  private long lose(EngineInspector inspector, long before) throws Exception {
    Hold hold = other.lock(NAME).acquire(LONG);
    require(hold.token() > before, "tokens do not rise");
    CompletableFuture<Loss> told = new CompletableFuture<>();
    hold.onLoss(told::complete);
    Resource resource = new Resource(mine.options().namespace(), NAME);
    require(evict(inspector, resource, hold.token()), "the inspector does not see the holder");
    told.get(LONG.toSeconds(), TimeUnit.SECONDS);
    require(!hold.isHeld(), "lost and still held");
    require(hold.release() == Outcome.LOST, "lost, and its release says otherwise");
    return hold.token();
  }

  private static boolean evict(EngineInspector inspector, Resource resource, long token)
      throws EngineException {
    boolean listed =
        inspector.show(resource).stream()
            .map(LineView::tickets)
            .anyMatch(tickets -> tickets.stream().anyMatch(ticket -> ticket.token() == token));
    return listed && inspector.evict(resource, token, "smoke test") == EngineInspector.Verdict.DONE;
  }

  private void countIds() {
    Set<Long> ids = new HashSet<>();
    try (LongIds counter = Ids.over(mine).counter("tour");
        LongIds segment = Ids.over(other).segment("tour")) {
      for (int i = 0; i < IDS / 10; i++) {
        require(ids.add(counter.next()), "an id twice");
      }
      for (int i = 0; i < IDS; i++) {
        require(ids.add(segment.next()), "an id twice");
      }
    }
    try (LongIds one = Ids.over(mine).timeline("tour/time");
        LongIds two = Ids.over(other).timeline("tour/time")) {
      for (int i = 0; i < IDS; i++) {
        require(ids.add(one.next()) && ids.add(two.next()), "an id twice");
      }
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
