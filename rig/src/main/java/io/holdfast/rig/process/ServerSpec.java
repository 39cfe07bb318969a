package io.holdfast.rig.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How a kind of server is started. It is all that an engine's tests have to write for a new store.
 * Immutable; the {@code with…} methods return a changed copy.
 *
 * <pre>{@code
 * Program etcd = Program.of("etcd", "etcd-server");
 * ServerSpec.of("etcd", place -> List.of(etcd.find().toString(), "--data-dir", "data", …), check)
 * }</pre>
 *
 * @param command the whole command line; it must stay in the foreground
 * @param preparation run once, before the first start
 * @param port a fixed port; without one the server gets a free port
 * @param user whom to run as if the tests run as root
 * @param stopSignal what asks the server to end
 * @param startBound how long it may take to become ready
 * @param stopBound how long it may take to end before it is killed
 */
public record ServerSpec(
    String name,
    Command command,
    Preparation preparation,
    ReadyCheck ready,
    OptionalInt port,
    Optional<String> user,
    Map<String, String> environment,
    Signal stopSignal,
    Duration startBound,
    Duration stopBound) {

  /** Makes the command line for a place. */
  @FunctionalInterface
  public interface Command {
    /** Called before every start, so that a restart can see what is in the folder. */
    List<String> at(ServerLocation place);
  }

  /** Fills the folder of a place before the first start. */
  @FunctionalInterface
  public interface Preparation {
    /** An exception ends the start. */
    void in(ServerLocation place) throws Exception;
  }

  /** Copies the map. */
  public ServerSpec {
    environment = Map.copyOf(environment);
  }

  /** A server on a free port, ended by SIGTERM, that may take 30 s to start and 5 s to stop. */
  public static ServerSpec of(String name, Command command, ReadyCheck ready) {
    return new ServerSpec(
        name,
        command,
        place -> {},
        ready,
        OptionalInt.empty(),
        Optional.empty(),
        Map.of(),
        Signal.TERM,
        Duration.ofSeconds(30),
        Duration.ofSeconds(5));
  }

  /** By another command line. */
  public ServerSpec withCommand(Command other) {
    return new ServerSpec(
        name,
        other,
        preparation,
        ready,
        port,
        user,
        environment,
        stopSignal,
        startBound,
        stopBound);
  }

  /** Runs this once, before the first start. */
  public ServerSpec withPreparation(Preparation first) {
    return new ServerSpec(
        name, command, first, ready, port, user, environment, stopSignal, startBound, stopBound);
  }

  /** Ready when this check says so; for a server that wants a password or TLS, for instance. */
  public ServerSpec withReady(ReadyCheck check) {
    return new ServerSpec(
        name,
        command,
        preparation,
        check,
        port,
        user,
        environment,
        stopSignal,
        startBound,
        stopBound);
  }

  /** On this port; needed where the members of a cluster must know each other beforehand. */
  public ServerSpec withPort(int fixed) {
    return new ServerSpec(
        name,
        command,
        preparation,
        ready,
        OptionalInt.of(fixed),
        user,
        environment,
        stopSignal,
        startBound,
        stopBound);
  }

  /** As this user, if the tests run as root; otherwise as the user who runs the tests. */
  public ServerSpec withUser(String other) {
    return new ServerSpec(
        name,
        command,
        preparation,
        ready,
        port,
        Optional.of(other),
        environment,
        stopSignal,
        startBound,
        stopBound);
  }

  /** With these variables in addition to the inherited ones. */
  public ServerSpec withEnvironment(Map<String, String> variables) {
    return new ServerSpec(
        name,
        command,
        preparation,
        ready,
        port,
        user,
        variables,
        stopSignal,
        startBound,
        stopBound);
  }

  /** Asked to end by this signal. */
  public ServerSpec withStopSignal(Signal signal) {
    return new ServerSpec(
        name, command, preparation, ready, port, user, environment, signal, startBound, stopBound);
  }

  /** With other bounds. */
  public ServerSpec withBounds(Duration start, Duration stop) {
    return new ServerSpec(
        name, command, preparation, ready, port, user, environment, stopSignal, start, stop);
  }
}
