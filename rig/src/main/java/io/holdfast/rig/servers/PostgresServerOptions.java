package io.holdfast.rig.servers;

import io.holdfast.rig.process.ReadyCheck;
import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerSpec;
import io.holdfast.rig.process.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a {@link PostgresServer} is started. Immutable; the methods return a changed copy.
 *
 * <pre>{@code
 * PostgresServer.start(PostgresServerOptions.PLAIN.with("max_connections", "20"))
 * }</pre>
 *
 * @param settings of the server's own, as in {@code postgresql.conf}
 * @param clock a wall clock that tests can step
 * @param port a fixed one; without it the server gets a free port
 * @param ownIdentity whether no other server of this JVM has its system identifier
 */
public record PostgresServerOptions(
    Map<String, String> settings,
    Optional<ServerClock> clock,
    OptionalInt port,
    boolean ownIdentity) {
  /** PostgreSQL's own defaults: what was committed survives a restart. */
  public static final PostgresServerOptions PLAIN =
      new PostgresServerOptions(Map.of(), Optional.empty(), OptionalInt.empty(), false);

  private static final DataTemplate TEMPLATE =
      new DataTemplate("postgres", PostgresPrograms.SYSTEM_USER, PostgresFiles::create);
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(20);

  /** Copies the map. */
  public PostgresServerOptions {
    settings = Map.copyOf(settings);
  }

  /** With one of the server's own settings, such as {@code "max_connections", "20"}; it wins. */
  public PostgresServerOptions with(String setting, String value) {
    Map<String, String> more = new LinkedHashMap<>(settings);
    more.put(setting, value);
    return new PostgresServerOptions(more, clock, port, ownIdentity);
  }

  /** Nothing is forced to disk; a killed server loses nothing by that, a machine would. */
  public PostgresServerOptions withoutFsync() {
    return with("fsync", "off");
  }

  /** With a wall clock that tests can step. */
  public PostgresServerOptions withClock(ServerClock steppable) {
    return new PostgresServerOptions(settings, Optional.of(steppable), port, ownIdentity);
  }

  /** On this port. */
  public PostgresServerOptions withPort(int fixed) {
    return new PostgresServerOptions(settings, clock, OptionalInt.of(fixed), ownIdentity);
  }

  /**
   * With a system identifier of its own, as any two servers of the world have; takes longer.
   * Otherwise it is the same for all servers of this JVM, as after a restored backup.
   */
  public PostgresServerOptions withOwnIdentity() {
    return new PostgresServerOptions(settings, clock, port, true);
  }

  /** The options as the kind of server that they make. */
  ServerSpec spec() {
    return spec(ownIdentity ? PostgresFiles::create : TEMPLATE::copyInto);
  }

  /** As {@link #spec()}, with the data from elsewhere. */
  ServerSpec spec(ServerSpec.Preparation data) {
    ServerSpec spec =
        ServerSpec.of("postgres", this::command, PostgresServerOptions::isReady)
            .withPreparation(data)
            .withUser(PostgresPrograms.SYSTEM_USER)
            .withStopSignal(Signal.INT)
            .withBounds(START, STOP)
            .withEnvironment(clock.map(ServerClock::environment).orElse(Map.of()));
    return port.isPresent() ? spec.withPort(port.getAsInt()) : spec;
  }

  private List<String> command(ServerLocation place) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("port", Integer.toString(place.port()));
    all.put("listen_addresses", "127.0.0.1");
    all.put("unix_socket_directories", place.folder().toString());
    // In the folder, which is deleted in any case: a killed server leaves files in /dev/shm.
    all.put("dynamic_shared_memory_type", "mmap");
    all.putAll(settings);
    List<String> command = new ArrayList<>();
    command.addAll(List.of(PostgresPrograms.server(), "-D", PostgresFiles.data(place).toString()));
    all.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
    return command;
  }

  private static boolean isReady(ServerLocation place, long pid) throws Exception {
    return PostgresFiles.isReady(place, pid) && ReadyCheck.acceptsConnections().isReady(place, pid);
  }
}
