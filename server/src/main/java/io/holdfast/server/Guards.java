package io.holdfast.server;

import io.holdfast.World;
import io.holdfast.server.audit.AuditLog;
import io.holdfast.server.audit.AuditReader;
import io.holdfast.server.audit.AuditSettings;
import io.holdfast.server.audit.VerbAudit;
import io.holdfast.server.security.Authenticator;
import io.holdfast.server.security.KeyFile;
import io.holdfast.server.security.ListenPolicy;
import io.holdfast.server.security.PrincipalLimits;
import io.holdfast.server.security.SealedTickets;
import io.holdfast.server.security.ServerTls;
import io.holdfast.server.verbs.Gate;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What stands between clients and a server: the files of its options, opened and followed. */
final class Guards implements AutoCloseable {

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(5);

  private final InetAddress address;
  private final Optional<ServerTls> tls;
  private final Authenticator authenticator;
  private final SealedTickets seal;
  private final Optional<AuditLog> log;
  private final Gate gate;

  private Guards(
      InetAddress address,
      Optional<ServerTls> tls,
      Authenticator authenticator,
      SealedTickets seal,
      Optional<AuditLog> log,
      Gate gate) {
    this.address = address;
    this.tls = tls;
    this.authenticator = authenticator;
    this.seal = seal;
    this.log = log;
    this.gate = gate;
  }

  /**
   * Opens all files and begins to follow changes of them.
   *
   * @throws IllegalArgumentException when one of them cannot be used, or the address needs more
   * @throws IOException when the audit cannot be written
   */
  static Guards open(ServerOptions options, World world) throws IOException {
    InetAddress address =
        new ListenPolicy(options.tls().isPresent(), options.authFile().isPresent())
            .require(options.host(), options.port());
    SealedTickets seal =
        new SealedTickets(options.keyFile().map(KeyFile::openOrCreate).orElseGet(KeyFile::random));
    Authenticator authenticator =
        options.authFile().map(Authenticator::reading).orElseGet(Authenticator::local);
    Optional<ServerTls> tls = options.tls().map(ServerTls::open);
    Optional<AuditLog> log = Optional.empty();
    if (options.auditFile().isPresent()) {
      log =
          Optional.of(
              AuditLog.open(
                  AuditSettings.defaults(options.auditFile().get()),
                  world::epochMicros,
                  LONGEST_CLOSE));
    }
    Gate gate =
        new Gate(
            new PrincipalLimits(options.limits(), world::nanoTime),
            log.map(each -> new VerbAudit(each::record, world::nanoTime)),
            options.generation());
    authenticator.start();
    tls.ifPresent(ServerTls::start);
    return new Guards(address, tls, authenticator, seal, log, gate);
  }

  InetAddress address() {
    return address;
  }

  Optional<ServerTls> tls() {
    return tls;
  }

  Authenticator authenticator() {
    return authenticator;
  }

  SealedTickets seal() {
    return seal;
  }

  Gate gate() {
    return gate;
  }

  Optional<AuditReader> auditReader() {
    return log.map(AuditLog::reader);
  }

  /** What operators should know of the files, as JSON. */
  Map<String, Object> condition() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("authenticates", authenticator.isRequired());
    tls.ifPresent(each -> json.put("certificateEnds", each.ends().toString()));
    log.ifPresent(each -> json.put("auditDropped", each.dropped()));
    List<String> problems = new ArrayList<>();
    authenticator.problem().ifPresent(problems::add);
    tls.flatMap(ServerTls::problem).ifPresent(problems::add);
    log.flatMap(AuditLog::problem).ifPresent(problems::add);
    json.put("problems", problems);
    return json;
  }

  /** Stops following the files, and writes the audit to its end. */
  @Override
  public void close() {
    authenticator.close();
    log.ifPresent(AuditLog::close);
    tls.ifPresent(
        each -> {
          try {
            each.close();
          } catch (Exception e) {
            System.getLogger("io.holdfast.server")
                .log(Level.WARNING, "TLS did not stop as it should", e);
          }
        });
  }
}
