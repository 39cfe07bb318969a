package io.holdfast.torture;

import com.google.gson.GsonBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What came out of a run.
 *
 * @param findings what must not be, in sentences
 * @param known what is known to happen at this store, in sentences
 */
record Report(
    String store,
    double minutes,
    long seed,
    double leaseSeconds,
    int workers,
    String network,
    long calls,
    long grants,
    long losses,
    Map<FaultKind, Integer> faults,
    Overlaps overlaps,
    Overlaps knownOverlaps,
    long writesAccepted,
    long writesRefused,
    long staleAccepted,
    int wrongTokens,
    int leftovers,
    int unreturned,
    double longestLateMillis,
    List<String> findings,
    List<String> known) {

  /** How many things of one kind are quoted. */
  static final int QUOTED = 10;

  /** How many overlaps, and how long the longest was. */
  record Overlaps(int count, double longestMillis) {

    static Overlaps of(List<OverlapChecker.Overlap> some) {
      return new Overlaps(
          some.size(), some.stream().mapToDouble(OverlapChecker.Overlap::millis).max().orElse(0));
    }

    String text() {
      return count == 0 ? "0" : "%d (%s ms)".formatted(count, figure(longestMillis));
    }
  }

  /** The heads of {@link #row()}, as a table in Markdown. */
  static final List<String> HEADS =
      List.of(
          "store",
          "minutes",
          "grants",
          "faults",
          "overlaps (longest)",
          "known overlaps (longest)",
          "guarded writes",
          "stale refused",
          "stale accepted",
          "wrong tokens",
          "waits not ended",
          "leftovers",
          "verdict");

  Report {
    findings = List.copyOf(findings);
    known = List.copyOf(known);
  }

  boolean passed() {
    return findings.isEmpty();
  }

  String verdict() {
    if (!passed()) {
      return "FAILED";
    }
    return known.isEmpty() ? "passed" : "passed, known limits met";
  }

  int allFaults() {
    return faults.values().stream().mapToInt(Integer::intValue).sum();
  }

  List<String> row() {
    return List.of(
        store,
        figure(minutes),
        count(grants),
        count(allFaults()),
        overlaps.text(),
        knownOverlaps.text(),
        count(writesAccepted),
        count(writesRefused),
        count(staleAccepted),
        count(wrongTokens),
        count(unreturned),
        count(leftovers),
        verdict());
  }

  /** For people. */
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add("faults: " + faultText());
    lines.add(
        "%s calls, %s grants, %s losses reported; longest wait beyond its time %s ms"
            .formatted(count(calls), count(grants), count(losses), figure(longestLateMillis)));
    known.forEach(one -> lines.add("known: " + one));
    findings.forEach(one -> lines.add("FOUND: " + one));
    lines.add("");
    lines.add(markdown(HEADS));
    lines.add(HEADS.stream().map(head -> "---").collect(Collectors.joining("|", "|", "|")));
    lines.add(markdown(row()));
    return String.join("\n", lines) + "\n";
  }

  private static String markdown(List<String> cells) {
    return cells.stream().collect(Collectors.joining(" | ", "| ", " |"));
  }

  private String faultText() {
    return faults.entrySet().stream()
        .map(entry -> entry.getValue() + " " + entry.getKey().word())
        .collect(Collectors.joining(", "));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String figure(double number) {
    return number >= 100 || number == Math.rint(number)
        ? String.format(Locale.ROOT, "%,.0f", number)
        : String.format(Locale.ROOT, "%.1f", number);
  }

  /** For programs. */
  String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("store", store);
    all.put("minutes", minutes);
    all.put("seed", seed);
    all.put("leaseSeconds", leaseSeconds);
    all.put("workers", workers);
    all.put("network", network);
    all.put("calls", calls);
    all.put("grants", grants);
    all.put("losses", losses);
    Map<String, Integer> byWord = new LinkedHashMap<>();
    faults.forEach((kind, number) -> byWord.put(kind.word(), number));
    all.put("faults", byWord);
    all.put("overlaps", overlaps.count);
    all.put("longestOverlapMillis", overlaps.longestMillis);
    all.put("knownOverlaps", knownOverlaps.count);
    all.put("longestKnownOverlapMillis", knownOverlaps.longestMillis);
    all.put("guardedWritesAccepted", writesAccepted);
    all.put("staleWritesRefused", writesRefused);
    all.put("staleWritesAccepted", staleAccepted);
    all.put("wrongTokens", wrongTokens);
    all.put("unreturnedWaits", unreturned);
    all.put("longestLateMillis", longestLateMillis);
    all.put("leftovers", leftovers);
    all.put("findings", findings);
    all.put("known", known);
    all.put("verdict", verdict());
    return new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create().toJson(all) + "\n";
  }
}
