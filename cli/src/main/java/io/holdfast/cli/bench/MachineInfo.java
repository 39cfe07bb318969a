package io.holdfast.cli.bench;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The machine that the figures were measured on.
 *
 * @param load threads that wanted a core on average in the last minute; negative if unknown
 */
public record MachineInfo(int cores, double load, String java, String os) {

  /** As it is now; to be asked before the benchmark itself is the load. */
  public static MachineInfo now() {
    return new MachineInfo(
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"));
  }

  /** Whether others are so busy that figures by the clock say little. */
  private boolean isBusy() {
    return load > cores / 2.0;
  }

  /** In words. */
  public String text() {
    String cored = cores == 1 ? "1 core" : cores + " cores";
    if (load < 0) {
      return cored;
    }
    return String.format(Locale.ROOT, "%s, load %.1f before the start", cored, load)
        + (isBusy() ? ": others use it too, trust CPU/op more than ops/s" : "");
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("cores", cores);
    json.put("load", load);
    json.put("java", java);
    json.put("os", os);
    return json;
  }
}
