package io.holdfast.benchmarks;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Rounds of another runner, with the number of its connections to its server as an extra. */
record CountedRunner(Runner runner, ConnectionCount connections) implements Runner {

  @Override
  public Sample run(Duration time) throws Exception {
    connections.begin();
    Sample sample = runner.run(time);
    Map<String, Double> extras = new LinkedHashMap<>(sample.extras());
    connections.look().ifPresent(number -> extras.put(HeldRunner.CONNECTIONS, (double) number));
    return sample.withExtras(extras);
  }

  @Override
  public void close() throws Exception {
    runner.close();
  }
}
