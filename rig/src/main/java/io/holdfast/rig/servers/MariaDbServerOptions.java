package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * How a {@link MariaDbServer} is started. Immutable; the methods return a changed copy.
 *
 * <pre>{@code
 * MariaDbServer.start(MariaDbServerOptions.PLAIN.with("--max-connections=20"))
 * }</pre>
 *
 * @param arguments for mariadbd's command line; the later ones win
 * @param clock a wall clock that tests can step
 * @param port a fixed one; without it the server gets a free port
 */
public record MariaDbServerOptions(
    List<String> arguments, Optional<ServerClock> clock, OptionalInt port) {
  /** MariaDB's own defaults with small buffers: what was committed survives a restart. */
  public static final MariaDbServerOptions PLAIN =
      new MariaDbServerOptions(List.of(), Optional.empty(), OptionalInt.empty());

  private static final DataTemplate TEMPLATE =
      new DataTemplate("mariadb", MariaDbPrograms.SYSTEM_USER, MariaDbPrograms::create);
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(20);

  /** Copies the list. */
  public MariaDbServerOptions {
    arguments = List.copyOf(arguments);
  }

  /** With more of mariadbd's own, such as {@code "--max-connections=20"}; they win. */
  public MariaDbServerOptions with(String... more) {
    List<String> all = Stream.concat(arguments.stream(), Arrays.stream(more)).toList();
    return new MariaDbServerOptions(all, clock, port);
  }

  /** Commits are not forced to disk; a killed server loses nothing by that, a machine would. */
  public MariaDbServerOptions withoutFsync() {
    return with("--innodb-flush-log-at-trx-commit=2");
  }

  /** With a wall clock that tests can step. */
  public MariaDbServerOptions withClock(ServerClock steppable) {
    return new MariaDbServerOptions(arguments, Optional.of(steppable), port);
  }

  /** On this port. */
  public MariaDbServerOptions withPort(int fixed) {
    return new MariaDbServerOptions(arguments, clock, OptionalInt.of(fixed));
  }

  /** The options as the kind of server that they make. */
  ServerSpec spec() {
    ServerSpec spec =
        ServerSpec.of("mariadb", this::command, MariaDbPrograms::isReady)
            .withPreparation(MariaDbServerOptions::prepare)
            .withUser(MariaDbPrograms.SYSTEM_USER)
            .withBounds(START, STOP)
            .withEnvironment(clock.map(ServerClock::environment).orElse(Map.of()));
    return port.isPresent() ? spec.withPort(port.getAsInt()) : spec;
  }

  private static void prepare(ServerLocation place) throws Exception {
    TEMPLATE.copyInto(place);
    MariaDbPrograms.writeStartSql(place);
  }

  private List<String> command(ServerLocation place) {
    List<String> command = new ArrayList<>(MariaDbPrograms.server(place));
    command.addAll(arguments);
    return command;
  }
}
