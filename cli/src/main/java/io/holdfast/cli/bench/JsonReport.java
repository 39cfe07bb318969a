package io.holdfast.cli.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes all figures as JSON. Times are in nanoseconds. */
public final class JsonReport {

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private JsonReport() {}

  public static String of(
      MachineInfo machine, List<RaceResult> rows, List<Map<String, Object>> bars) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("machine", machine.json());
    report.put("rows", rows.stream().map(JsonReport::row).toList());
    report.put("bars", bars);
    return GSON.toJson(report) + "\n";
  }

  private static Map<String, Object> row(RaceResult row) {
    RaceSetup setup = row.setup();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("heading", row.heading());
    json.put("mode", setup.mode().word());
    json.put("threads", setup.threads());
    json.put("processes", setup.processes());
    json.put("held", setup.held());
    json.put("sectionNanos", setup.section().toNanos());
    json.put("roundNanos", setup.time().toNanos());
    json.put("contenders", row.figures().stream().map(entry -> figures(row, entry)).toList());
    return json;
  }

  private static Map<String, Object> figures(RaceResult row, Figures entry) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", entry.name());
    json.put("floor", entry.floor());
    json.put("opsPerSecond", entry.opsPerSecond());
    json.put("rounds", entry.rounds());
    json.put("spread", entry.spread());
    json.put("p50Nanos", entry.p50());
    json.put("p99Nanos", entry.p99());
    json.put("longestNanos", entry.longest());
    json.put("leastToMost", entry.fairness().leastToMost());
    json.put("jain", entry.fairness().jain());
    json.put("bytesPerOp", entry.bytesPerOp());
    json.put("cpuNanosPerOp", entry.cpuPerOp());
    json.put("ratioToFirst", row.ratio(entry));
    json.put("extras", entry.extras());
    json.put("faults", entry.faults());
    return json;
  }
}
