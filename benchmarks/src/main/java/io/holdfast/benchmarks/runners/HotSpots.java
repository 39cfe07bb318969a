package io.holdfast.benchmarks.runners;

import io.holdfast.cli.bench.LoadThread;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.Sample;
import io.holdfast.cli.bench.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** Profiles the workers' time and memory in one more round, with Java Flight Recorder. */
public final class HotSpots {

  private static final String TIME = "jdk.ExecutionSample";
  private static final String MEMORY = "jdk.ObjectAllocationSample";
  private static final Duration PERIOD = Duration.ofMillis(5);
  private static final int TOP = 12;
  private static final String ELSEWHERE = "(outside of Holdfast)";
  private static final String OURS = "io.holdfast.";
  private static final String HARNESS = "io.holdfast.benchmarks.";

  /** The methods that were running. */
  private final Map<String, Double> running = new HashMap<>();

  /** The same time, put down to Holdfast's own method that ran or called what ran. */
  private final Map<String, Double> calling = new HashMap<>();

  /** Holdfast's methods, each with all that it called; they overlap. */
  private final Map<String, Double> within = new HashMap<>();

  /** The classes of what was allocated. */
  private final Map<String, Double> allocated = new HashMap<>();

  private HotSpots() {}

  /** Runs a round with the recorder on. */
  public static HotSpots of(RoundRunner runner, Duration time) throws Exception {
    Path file = Files.createTempFile("holdfast-bench-", ".jfr");
    try (Recording recording = new Recording()) {
      recording.enable(TIME).withPeriod(PERIOD);
      recording.enable(MEMORY).with("throttle", "1000/s");
      recording.start();
      Sample unused = runner.run(time);
      recording.stop();
      recording.dump(file);
      return read(file);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static HotSpots read(Path file) throws IOException {
    HotSpots spots = new HotSpots();
    try (RecordingFile events = new RecordingFile(file)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        switch (event.getEventType().getName()) {
          case TIME -> spots.ran(event);
          case MEMORY -> spots.allocated(event);
          default -> {}
        }
      }
    }
    return spots;
  }

  private void ran(RecordedEvent event) {
    RecordedThread thread = event.getValue("sampledThread");
    RecordedStackTrace stack = event.getStackTrace();
    if (isSampled(thread) && stack != null && !stack.getFrames().isEmpty()) {
      List<RecordedFrame> frames = stack.getFrames();
      running.merge(text(frames.get(0)), 1.0, Double::sum);
      List<String> ours = ours(frames);
      calling.merge(ours.isEmpty() ? ELSEWHERE : ours.get(0), 1.0, Double::sum);
      ours.forEach(method -> within.merge(method, 1.0, Double::sum));
    }
  }

  private void allocated(RecordedEvent event) {
    if (isSampled(event.getThread())) {
      String type = event.getClass("objectClass").getName();
      allocated.merge(plain(type), (double) event.getLong("weight"), Double::sum);
    }
  }

  private static boolean isSampled(RecordedThread thread) {
    // Threads of the JVM itself have no Java name.
    String name = thread == null ? null : thread.getJavaName();
    return name != null && name.startsWith(LoadThread.NAME_PREFIX);
  }

  /** Holdfast's methods of a stack, the innermost first. */
  private static List<String> ours(List<RecordedFrame> frames) {
    return frames.stream()
        .map(HotSpots::text)
        .filter(text -> text.startsWith(OURS) && !text.startsWith(HARNESS))
        .distinct()
        .toList();
  }

  private static String text(RecordedFrame frame) {
    return plain(frame.getMethod().getType().getName()) + "." + frame.getMethod().getName();
  }

  /** Without the number and address that the JVM gives the class of a lambda. */
  private static String plain(String type) {
    return type.replaceAll("\\$\\$Lambda.*", "\\$\\$Lambda");
  }

  /** The lists, for people. */
  public String text() {
    double samples = sum(running.values());
    return "  running methods (%.0f samples)\n".formatted(samples)
        + top(running, samples)
        + "  by Holdfast's own method\n"
        + top(calling, samples)
        + "  by Holdfast's method and all that it calls\n"
        + top(within, samples)
        + "  allocated classes\n"
        + top(allocated, sum(allocated.values()));
  }

  private static String top(Map<String, Double> weights, double sum) {
    StringBuilder lines = new StringBuilder();
    weights.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .limit(TOP)
        .forEach(
            entry ->
                lines.append(
                    "    %6s  %s\n"
                        .formatted(Units.percent(entry.getValue() / sum), entry.getKey())));
    return lines.toString();
  }

  private static double sum(Collection<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sum();
  }
}
