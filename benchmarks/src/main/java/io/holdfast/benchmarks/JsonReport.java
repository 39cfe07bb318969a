package io.holdfast.benchmarks;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All figures as JSON. Times are in nanoseconds. */
final class JsonReport {

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private JsonReport() {}

  static String of(Machine machine, List<Row> rows, List<Goal.Verdict> verdicts) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("machine", machine.json());
    report.put("rows", rows.stream().map(JsonReport::row).toList());
    report.put("bars", verdicts.stream().map(JsonReport::verdict).toList());
    return GSON.toJson(report) + "\n";
  }

  private static Map<String, Object> row(Row row) {
    Setup setup = row.setup();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("heading", row.heading());
    json.put("mode", setup.mode().word());
    json.put("threads", setup.threads());
    json.put("processes", setup.processes());
    json.put("held", setup.held());
    json.put("sectionNanos", setup.section().toNanos());
    json.put("roundNanos", setup.time().toNanos());
    json.put("contenders", row.figures().stream().map(racer -> figures(row, racer)).toList());
    return json;
  }

  private static Map<String, Object> figures(Row row, Figures racer) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", racer.name());
    json.put("floor", racer.floor());
    json.put("opsPerSecond", racer.opsPerSecond());
    json.put("rounds", racer.rounds());
    json.put("spread", racer.spread());
    json.put("p50Nanos", racer.p50());
    json.put("p99Nanos", racer.p99());
    json.put("longestNanos", racer.longest());
    json.put("leastToMost", racer.fairness().leastToMost());
    json.put("jain", racer.fairness().jain());
    json.put("bytesPerOp", racer.bytesPerOp());
    json.put("cpuNanosPerOp", racer.cpuPerOp());
    json.put("ratioToFirst", row.ratio(racer));
    json.put("extras", racer.extras());
    json.put("faults", racer.faults());
    return json;
  }

  private static Map<String, Object> verdict(Goal.Verdict verdict) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("heading", verdict.goal().heading());
    json.put("contender", verdict.goal().racer());
    Measure measure = verdict.goal().measure();
    json.put(measure.isCeiling() ? "atMost" : "atLeast", verdict.goal().bar());
    // JSON has no word for what is not a number.
    json.put("reached", Double.isNaN(verdict.reached()) ? null : verdict.reached());
    json.put("text", verdict.text());
    json.put("longestNanos", verdict.longest());
    json.put("passed", verdict.passed());
    return json;
  }
}
