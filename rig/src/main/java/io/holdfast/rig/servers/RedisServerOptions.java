package io.holdfast.rig.servers;

import io.holdfast.rig.process.Program;
import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * How a {@link RedisServer} is started. Immutable; the methods return a changed copy.
 *
 * <pre>{@code
 * RedisServer.start(RedisServerOptions.PLAIN.withPassword("s3cret").withMaxMemory("3mb", "noeviction"))
 * }</pre>
 *
 * @param arguments for redis-server's command line; the later ones win
 * @param port a fixed one; without it the server gets a free port
 */
public record RedisServerOptions(
    List<String> arguments,
    Optional<String> password,
    Optional<TestCertificates> certificates,
    Optional<ServerClock> clock,
    OptionalInt port) {
  /** Keeps nothing over a restart, and lets everybody in. */
  public static final RedisServerOptions PLAIN =
      new RedisServerOptions(
          List.of(), Optional.empty(), Optional.empty(), Optional.empty(), OptionalInt.empty());

  private static final Program REDIS = Program.of("redis-server", "redis-server");
  private static final Duration PROBE = Duration.ofMillis(300);

  /** Copies the list. */
  public RedisServerOptions {
    arguments = List.copyOf(arguments);
  }

  /** With more of redis-server's own, such as {@code "--maxmemory", "2mb"}; they win. */
  public RedisServerOptions with(String... more) {
    List<String> all = Stream.concat(arguments.stream(), Arrays.stream(more)).toList();
    return new RedisServerOptions(all, password, certificates, clock, port);
  }

  /** Every acknowledged write is on disk: it survives a restart. */
  public RedisServerOptions durable() {
    return with("--appendonly", "yes", "--appendfsync", "always");
  }

  /** The default user needs this password; replicas of such a server need the same option. */
  public RedisServerOptions withPassword(String secret) {
    return new RedisServerOptions(arguments, Optional.of(secret), certificates, clock, port)
        .with("--requirepass", secret, "--masterauth", secret);
  }

  /**
   * With one more user.
   *
   * @param rules as in an ACL, such as {@code "~app:*", "&*", "+@all", "-@admin"}
   */
  public RedisServerOptions withUser(String name, String secret, String... rules) {
    return with("--user", name, "on", ">" + secret).with(rules);
  }

  /** With a limit for its data, such as {@code "3mb"}, and what it does then. */
  public RedisServerOptions withMaxMemory(String limit, String policy) {
    return with("--maxmemory", limit, "--maxmemory-policy", policy);
  }

  /** As a replica of this server, which may be gone: it keeps trying. */
  public RedisServerOptions replicaOf(RedisServer master) {
    return with("--replicaof", "127.0.0.1", Integer.toString(master.port()));
  }

  /** With the command DEBUG. */
  public RedisServerOptions withDebugCommands() {
    return with("--enable-debug-command", "yes");
  }

  /** TLS only, without asking clients for a certificate of theirs. */
  public RedisServerOptions withTls(TestCertificates files) {
    return new RedisServerOptions(arguments, password, Optional.of(files), clock, port)
        .with("--tls-cert-file", files.serverCertificate().toString())
        .with("--tls-key-file", files.serverKey().toString())
        .with("--tls-ca-cert-file", files.authority().toString())
        .with("--tls-auth-clients", "no", "--tls-replication", "yes");
  }

  /** With a wall clock that tests can step. */
  public RedisServerOptions withClock(ServerClock steppable) {
    return new RedisServerOptions(arguments, password, certificates, Optional.of(steppable), port);
  }

  /** On this port. */
  public RedisServerOptions withPort(int fixed) {
    return new RedisServerOptions(arguments, password, certificates, clock, OptionalInt.of(fixed));
  }

  /** The options as the kind of server that they make. */
  ServerSpec spec() {
    ServerSpec spec =
        ServerSpec.of("redis", this::command, this::isReady)
            .withEnvironment(clock.map(ServerClock::environment).orElse(Map.of()));
    return port.isPresent() ? spec.withPort(port.getAsInt()) : spec;
  }

  RedisAccess access() {
    return new RedisAccess(password, certificates);
  }

  private List<String> command(ServerLocation place) {
    String number = Integer.toString(place.port());
    List<String> command = new ArrayList<>(List.of(REDIS.find().toString()));
    command.addAll(
        certificates.isPresent()
            ? List.of("--port", "0", "--tls-port", number)
            : List.of("--port", number));
    command.addAll(List.of("--bind", "127.0.0.1"));
    command.addAll(List.of("--dir", place.folder().toString(), "--daemonize", "no"));
    command.addAll(List.of("--save", "", "--appendonly", "no"));
    // Otherwise a replica would wait 5 s for others to join its first transfer.
    command.addAll(List.of("--repl-diskless-sync-delay", "0"));
    command.addAll(arguments);
    command.addAll(RedisFiles.nextMaster(place.folder()));
    return command;
  }

  private boolean isReady(ServerLocation place, long pid) throws IOException {
    try (RespConnection probe = RespConnection.open(place.address(), PROBE, access())) {
      return probe.call("PING").equals("PONG")
          && probe.call("INFO", "server").lines().anyMatch(("process_id:" + pid)::equals);
    }
  }
}
