package io.holdfast.cli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs nothing and writes down that it was asked to. */
final class FakeRunner implements RoundRunner {
  private final String name;
  private final List<String> log;

  FakeRunner() {
    this("fake", new ArrayList<>());
  }

  FakeRunner(String name, List<String> log) {
    this.name = name;
    this.log = log;
  }

  @Override
  public Sample run(Duration time) {
    log.add(name);
    return Samples.second(10 * (int) log.stream().filter(name::equals).count());
  }

  @Override
  public void close() {
    log.add("close " + name);
  }
}
