package io.holdfast.benchmarks.runners;

import io.holdfast.benchmarks.peers.ContenderSpec;
import io.holdfast.cli.bench.ExtraFigures;
import io.holdfast.cli.bench.ProtectedCounters;
import io.holdfast.cli.bench.RoundRunner;
import io.holdfast.cli.bench.Sample;
import io.holdfast.cli.bench.WaitTimes;
import io.holdfast.cli.bench.Workload;
import io.holdfast.rig.clients.ClientJvm;
import io.holdfast.rig.clients.JvmSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs rounds with several child JVMs, which live until this is closed. */
public final class ProcessRunner implements RoundRunner {

  private static final int HEAP_MEGABYTES = 256;
  private static final Duration STARTED = Duration.ofSeconds(60);

  /** Above the overtime of a crew, so that a stuck child reports itself. */
  private static final Duration OVERTIME = Duration.ofSeconds(45);

  /** For all children to be at their gates. */
  private static final long HEAD_START_MILLIS = 50;

  private final List<ClientJvm> children = new ArrayList<>();
  private final Workload workload;
  private final ProtectedCounters ledger;
  private int rounds;

  private ProcessRunner(Workload workload, ProtectedCounters ledger) {
    this.workload = workload;
    this.ledger = ledger;
  }

  /**
   * Starts the children and waits until all are connected.
   *
   * @param workload of the first of them
   * @throws AssertionError with the output of a child that did not come up
   */
  public static ProcessRunner start(
      ContenderSpec spec, Workload workload, int processes, Path folder) throws IOException {
    ProtectedCounters ledger = ChildAssignment.of(spec, workload, folder).ledger();
    ProcessRunner runner = new ProcessRunner(workload, ledger);
    try {
      for (int i = 0; i < processes; i++) {
        ClientJvm child = ClientJvm.start(spec("bench-" + i, RaceChild.class));
        runner.children.add(child);
        child.say(ChildAssignment.of(spec, workload.ofProcess(i), folder).encoded());
      }
      runner.children.forEach(child -> child.awaitLine(RaceChild.READY, STARTED));
      return runner;
    } catch (RuntimeException | AssertionError e) {
      runner.close();
      throw e;
    }
  }

  /** A child JVM as programs have them. */
  static JvmSpec spec(String name, Class<?> main) {
    return JvmSpec.of(name, main)
        .withHeapMegabytes(HEAP_MEGABYTES)
        // The rig's children are made to start quickly; these are made to run fast.
        .withJvmOptions("-XX:TieredStopAtLevel=4");
  }

  @Override
  public Sample run(Duration time) {
    int round = ++rounds;
    long[] before = ledger.counts();
    long start = System.currentTimeMillis() + HEAD_START_MILLIS;
    children.forEach(child -> child.say(RaceChild.command(round, start, time)));
    List<Sample> samples = new ArrayList<>();
    for (ClientJvm child : children) {
      String line = child.awaitLine(RaceChild.answer(round), time.plus(OVERTIME));
      samples.add(Sample.decoded(line.substring(RaceChild.answer(round).length())));
    }
    Sample all = together(samples);
    List<Long> threads = samples.stream().flatMap(sample -> sample.shares().stream()).toList();
    List<String> faults = new ArrayList<>(all.faults());
    faults.addAll(ledger.audit(before, workload.byCell(threads)));
    return all.withFaults(faults);
  }

  /** One sample of what several processes did at the same time; a share is a process's. */
  static Sample together(List<Sample> samples) {
    WaitTimes waits = WaitTimes.none();
    List<Long> shares = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    long nanos = 1;
    long bytes = 0;
    long cpu = 0;
    for (Sample sample : samples) {
      waits.addAll(sample.waits());
      shares.add(sample.ops());
      faults.addAll(sample.faults());
      nanos = Math.max(nanos, sample.nanos());
      bytes += sample.bytes();
      cpu += sample.cpu();
    }
    return new Sample(nanos, waits, shares, bytes, cpu, faults, parts(shares));
  }

  /** What part of all each process had, as extras. */
  private static Map<String, Double> parts(List<Long> shares) {
    double all = Math.max(1, shares.stream().mapToLong(Long::longValue).sum());
    Map<String, Double> parts = new LinkedHashMap<>();
    for (int i = 0; i < shares.size(); i++) {
      parts.put(ExtraFigures.SHARE_OF_PROCESS + (i + 1), shares.get(i) / all);
    }
    return parts;
  }

  @Override
  public void close() {
    children.forEach(ClientJvm::close);
  }
}
