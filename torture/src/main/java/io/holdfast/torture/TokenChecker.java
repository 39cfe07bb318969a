package io.holdfast.torture;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds exclusive tokens that were granted twice or did not rise. A token must be larger than every
 * token granted before it was requested. Tokens of holders that may be in together say nothing
 * about each other.
 */
final class TokenChecker {

  /**
   * A token that is wrong.
   *
   * @param earlier who had the same or a larger one before
   */
  record WrongToken(String name, Call earlier, Call later) {
    boolean repeated() {
      return earlier.token == later.token;
    }

    @Override
    public String toString() {
      return name
          + ": "
          + later
          + (repeated() ? ", the same as of " : ", asked for after ")
          + earlier;
    }
  }

  private TokenChecker() {}

  /** All wrong tokens; each grant counts once. */
  static List<WrongToken> check(Collection<Call> calls) {
    Map<TestedLock, List<Call>> byLock = new HashMap<>();
    for (Call call : calls) {
      if (call.isGranted()) {
        byLock.computeIfAbsent(call.testedLock, c -> new ArrayList<>()).add(call);
      }
    }
    List<WrongToken> found = new ArrayList<>();
    byLock.forEach((testedLock, grants) -> check(testedLock, grants, found));
    return found;
  }

  private static void check(TestedLock testedLock, List<Call> grants, List<WrongToken> found) {
    List<Call> byGrant = new ArrayList<>(grants);
    byGrant.sort(Comparator.comparingLong(call -> call.granted));
    List<Call> byCall = new ArrayList<>(grants);
    byCall.sort(Comparator.comparingLong(call -> call.called));
    Map<Long, Call> exclusive = new HashMap<>();
    Call highest = null;
    Call highestExclusive = null;
    int next = 0;
    for (Call call : byCall) {
      while (next < byGrant.size() && byGrant.get(next).granted < call.called) {
        Call before = byGrant.get(next++);
        highest = highest == null || before.token > highest.token ? before : highest;
        if (before.exclusive
            && (highestExclusive == null || before.token > highestExclusive.token)) {
          highestExclusive = before;
        }
      }
      Call earlier = call.exclusive ? highest : highestExclusive;
      Call same = call.exclusive ? exclusive.put(call.token, call) : null;
      if (same != null) {
        found.add(new WrongToken(testedLock.name(), same, call));
      } else if (earlier != null && call.token <= earlier.token) {
        found.add(new WrongToken(testedLock.name(), earlier, call));
      }
    }
  }
}
