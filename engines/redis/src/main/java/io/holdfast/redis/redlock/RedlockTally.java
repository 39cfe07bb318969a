package io.holdfast.redis.redlock;

import io.holdfast.redis.redlock.RedlockBallots.Window;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.OwnerText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The votes of all masters in one round, counted. */
record RedlockTally(List<RedlockVote> votes, int majority) {

  int count(String answer) {
    int count = 0;
    for (RedlockVote vote : votes) {
      count += vote.is(answer) ? 1 : 0;
    }
    return count;
  }

  /** Returns how many masters have the ticket with this ballot, whether they may vote or not. */
  int have(long ballot) {
    int count = 0;
    for (RedlockVote vote : votes) {
      count += vote.has(ballot) ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns how many grant this ballot: a master that may not vote counts only if it had the ticket
   * before.
   */
  int grants(long ballot, boolean before) {
    int count = 0;
    for (RedlockVote vote : votes) {
      boolean fresh = vote.is("G") && vote.words().number(3) == 1;
      count += vote.has(ballot) && (vote.votes() || (before && !fresh)) ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns for how long a majority has the ticket with this ballot: at each master what it says is
   * left, and at least the requested lease.
   */
  Duration validFor(long ballot, Duration lease) {
    List<Duration> left = new ArrayList<>();
    for (RedlockVote vote : votes) {
      if (vote.has(ballot)) {
        left.add(vote.left(lease));
      }
    }
    left.sort(Comparator.reverseOrder());
    return left.size() < majority ? lease : left.get(majority - 1);
  }

  /** Returns how many gave no reply that counts. */
  int unheard() {
    int count = 0;
    for (RedlockVote vote : votes) {
      count += vote.isHeard() ? 0 : 1;
    }
    return count;
  }

  /** Returns whether a master has the ticket, or may have it. */
  boolean leavesTraces() {
    return count("G") > 0 || count(RedlockVote.SILENT) > 0;
  }

  boolean isWanted() {
    return votes.stream()
        .anyMatch(vote -> (vote.is("G") || vote.is("R")) && vote.words().number(2) == 1);
  }

  /** Returns the ballots that free masters accept; of those that may vote, or of all. */
  List<Window> windows(boolean voting) {
    List<Window> windows = new ArrayList<>();
    for (RedlockVote vote : votes) {
      if (vote.is("C") && (vote.votes() || !voting)) {
        windows.add(new Window(vote.words().number(1), vote.words().number(2)));
      } else if (vote.is("G") && (vote.votes() || !voting)) {
        windows.add(new Window(vote.words().number(4), vote.words().number(5)));
      }
    }
    return windows;
  }

  /** Returns what masters that may vote accept above this ballot. */
  List<Window> windows(long above) {
    return windows(/* voting= */ true).stream()
        .map(window -> new Window(Math.max(above, window.floor()), window.limit()))
        .toList();
  }

  /**
   * Returns whether other tickets keep this one from a majority of the masters that reply and vote.
   */
  boolean isBusy() {
    return count("H") > 0 && count("H") + windows(true).size() >= majority;
  }

  /** Returns the other ticket that most masters have; tickets are identified by their tokens. */
  Optional<Standing.Holder> holder() {
    Map<Long, List<RedlockVote>> byToken = new HashMap<>();
    for (RedlockVote vote : votes) {
      if (vote.is("H")) {
        byToken.computeIfAbsent(token(vote), token -> new ArrayList<>()).add(vote);
      }
    }
    return byToken.entrySet().stream()
        .max((a, b) -> Integer.compare(a.getValue().size(), b.getValue().size()))
        .map(most -> holder(most.getKey(), most.getValue()));
  }

  /** Returns whether no ticket has a majority: several asked at the same time. */
  boolean isSplit() {
    Map<Long, Long> byToken =
        votes.stream()
            .filter(vote -> vote.is("H"))
            .collect(Collectors.groupingBy(RedlockTally::token, Collectors.counting()));
    return byToken.values().stream().noneMatch(count -> count >= majority)
        && (count("G") > 0 || byToken.size() > 1);
  }

  /** Returns when enough masters will be free for a majority, if no holder renews. */
  Duration untilFree() {
    long[] left =
        votes.stream()
            .filter(vote -> vote.is("H"))
            .mapToLong(vote -> left(vote))
            .sorted()
            .toArray();
    int missing = majority - windows(true).size();
    int last = Math.max(0, Math.min(left.length, missing) - 1);
    return Duration.ofMillis(left.length == 0 ? 1 : left[last]);
  }

  private static Standing.Holder holder(long token, List<RedlockVote> held) {
    long left = held.stream().mapToLong(RedlockTally::left).max().orElse(1);
    return new Standing.Holder(
        OwnerText.read(held.get(0).words().text(4)), token, Duration.ofMillis(left));
  }

  private static long left(RedlockVote vote) {
    return Math.max(1, vote.words().number(3));
  }

  private static long token(RedlockVote vote) {
    return Token.of((int) vote.words().number(2), vote.words().number(1));
  }

  /** Returns what each master replied. */
  @Override
  public String toString() {
    return votes.stream().map(RedlockVote::toString).collect(Collectors.joining("; "));
  }
}
