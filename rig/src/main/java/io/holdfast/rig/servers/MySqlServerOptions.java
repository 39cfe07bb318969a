package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a {@link MySqlServer} is started. Immutable; the methods return a changed copy.
 *
 * <pre>{@code
 * MySqlServer.start(MySqlServerOptions.PLAIN.with("--max-connections=20"))
 * }</pre>
 *
 * @param arguments for mysqld's command line; the later ones win
 * @param clock a wall clock that tests can step
 */
public record MySqlServerOptions(List<String> arguments, Optional<ServerClock> clock) {
  /** MySQL's own defaults with small buffers: what was committed survives a restart. */
  public static final MySqlServerOptions PLAIN =
      new MySqlServerOptions(List.of(), Optional.empty());

  private static final DataTemplate TEMPLATE =
      new DataTemplate("mysql", MySqlPrograms.SYSTEM_USER, MySqlPrograms::create);
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(20);

  /** Copies the list. */
  public MySqlServerOptions {
    arguments = List.copyOf(arguments);
  }

  /** With more of mysqld's own, such as {@code "--max-connections=20"}; they win. */
  public MySqlServerOptions with(String... more) {
    List<String> all = Stream.concat(arguments.stream(), Arrays.stream(more)).toList();
    return new MySqlServerOptions(all, clock);
  }

  /** With a wall clock that tests can step. */
  public MySqlServerOptions withClock(ServerClock steppable) {
    return new MySqlServerOptions(arguments, Optional.of(steppable));
  }

  /** The options as the kind of server that they make. */
  ServerSpec spec() {
    return ServerSpec.of("mysql", this::command, MySqlPrograms::isReady)
        .withPreparation(MySqlServerOptions::prepare)
        .withUser(MySqlPrograms.SYSTEM_USER)
        .withBounds(START, STOP)
        .withEnvironment(clock.map(ServerClock::environment).orElse(Map.of()));
  }

  private static void prepare(ServerLocation place) throws Exception {
    TEMPLATE.copyInto(place);
    MySqlPrograms.writeStartSql(place);
  }

  private List<String> command(ServerLocation place) {
    List<String> command = new ArrayList<>(MySqlPrograms.server(place));
    command.addAll(arguments);
    return command;
  }
}
