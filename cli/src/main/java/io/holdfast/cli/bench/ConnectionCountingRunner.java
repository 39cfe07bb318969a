package io.holdfast.cli.bench;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Adds the number of server connections to the samples of another runner. */
public record ConnectionCountingRunner(RoundRunner runner, ConnectionCount connections)
    implements RoundRunner {

  /**
   * Starts a runner and counts the connections that it opens.
   *
   * @param uri of the store
   */
  public static RoundRunner start(String uri, RaceEntry.Start start) throws Exception {
    ConnectionCount connections = ConnectionCount.at(uri);
    connections.begin();
    RoundRunner runner = start.connect();
    connections.look();
    return new ConnectionCountingRunner(runner, connections);
  }

  @Override
  public Sample run(Duration time) throws Exception {
    connections.begin();
    Sample sample = runner.run(time);
    Map<String, Double> extras = new LinkedHashMap<>(sample.extras());
    connections.look().ifPresent(number -> extras.put(ExtraFigures.CONNECTIONS, (double) number));
    return sample.withExtras(extras);
  }

  @Override
  public void close() throws Exception {
    runner.close();
  }
}
