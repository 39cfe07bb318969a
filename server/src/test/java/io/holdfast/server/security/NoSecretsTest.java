package io.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.server.audit.AuditLog;
import io.holdfast.server.audit.AuditSettings;
import io.holdfast.server.audit.VerbAudit;
import io.holdfast.server.settings.TlsSettings;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collects everything that the units log, throw, print and record, and looks for secrets in it. */
class NoSecretsTest {

  @TempDir Path folder;
  private final StringWriter collected = new StringWriter();
  private final PrintWriter out = new PrintWriter(collected, /* autoFlush= */ true);
  private final Logger logger = Logger.getLogger("io.holdfast");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord logged) {
          out.println("LOG " + logged.getMessage());
          if (logged.getThrown() != null) {
            logged.getThrown().printStackTrace(out);
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.addHandler(handler);
    logger.setLevel(Level.ALL);
  }

  @AfterEach
  void leave() {
    logger.removeHandler(handler);
    logger.setLevel(null);
  }

  private void note(Supplier<Object> step) {
    try {
      Object result = step.get();
      out.println(result);
      if (result instanceof Authentication.Accepted accepted) {
        out.println(accepted.identity() + " " + accepted.principal());
      }
    } catch (RuntimeException e) {
      e.printStackTrace(out);
    }
  }

  @Test
  @DisplayName("no token, key, password or ticket is in a log, an error, a text or the audit")
  void nothing() throws Exception {
    BearerToken token = BearerToken.create();
    BearerToken pasted = BearerToken.create();
    Path auth = Files.writeString(folder.resolve("auth"), token.line("billing"));
    Path keyPath = folder.resolve("key");
    KeyFile keys = KeyFile.openOrCreate(keyPath);
    String key = Files.readString(keyPath).lines().skip(1).findFirst().orElseThrow();
    note(() -> token);
    note(() -> keys);

    Authenticator authenticator = Authenticator.reading(auth);
    for (String header :
        List.of(
            "Bearer " + token.secret(),
            "Bearer " + pasted.secret(),
            "Basic " + pasted.secret(),
            pasted.secret())) {
      note(() -> authenticator.authenticate(List.of(header), Optional.empty()));
    }
    for (String line :
        List.of(
            pasted.secret(),
            "token " + pasted.secret() + " billing",
            "allow " + pasted.secret() + " lock * *",
            token.line("billing") + " " + pasted.secret())) {
      Files.writeString(auth, line);
      authenticator.look();
      authenticator.look();
      note(authenticator::problem);
      note(() -> Authenticator.reading(auth));
    }

    Ticket ticket = ticket();
    SealedTickets seals = new SealedTickets(keys);
    Principal billing = new Principal("billing", List.of());
    String sealed = seals.seal(ticket, billing);
    note(() -> seals.open(sealed, billing));
    note(() -> seals.open(sealed, Principal.LOCAL));
    note(() -> seals.open(sealed.substring(1), billing));
    Files.writeString(keyPath, "x" + key);
    note(() -> KeyFile.openOrCreate(keyPath));
    Path audit = folder.resolve("audit");
    try (AuditLog log =
        AuditLog.open(AuditSettings.defaults(audit), () -> 1, Duration.ofSeconds(30))) {
      VerbAudit verbs = new VerbAudit(log::record, System::nanoTime);
      verbs.attempted(billing, ticket, new Standing.Granted(1024, Duration.ofSeconds(9), false));
      if (authenticator.authenticate(List.of("Bearer " + pasted.secret()), Optional.empty())
          instanceof Authentication.Rejected rejected) {
        verbs.denied(Optional.empty(), Optional.empty(), "127.0.0.1", rejected.refusal());
      }
    }
    out.println(Files.readString(audit));
    noteTls();

    assertThat(collected.toString())
        .contains("LOG ", "granted", "denied", "line 1: ")
        .doesNotContain(token.secret())
        .doesNotContain(pasted.secret())
        .doesNotContain(key)
        .doesNotContain(sealed)
        .doesNotContain(ticket.id().encoded())
        .doesNotContain("hunter2");
  }

  private void noteTls() throws IOException {
    Path store = Files.writeString(folder.resolve("server.p12"), "hunter2 is not a store");
    TlsSettings settings = new TlsSettings(new TlsSettings.Pkcs12File(store, "hunter2"));
    note(() -> settings);
    note(() -> ServerTls.open(settings));
    Path pem =
        Files.writeString(
            folder.resolve("server.pem"),
            "-----BEGIN CERTIFICATE-----\nhunter2!\n-----END CERTIFICATE-----\n");
    note(() -> ServerTls.open(new TlsSettings(new TlsSettings.PemFiles(pem, pem))));
  }

  private static Ticket ticket() {
    return new Ticket(
        new Ticket.Id(0x1234567890abcdefL, 0x0fedcba987654321L, 77),
        new Resource("default", "orders/42"),
        Shape.mutex(Order.ANY),
        1,
        Duration.ofSeconds(10),
        0,
        /* waits= */ true,
        new Owner("", "h", 1, "t", ""));
  }
}
