package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.rig.time.Await;
import io.holdfast.server.LockServer;
import io.holdfast.server.security.BearerToken;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients of a server with an auth file. */
@Timeout(120)
class ClientTokenTest {

  private static final String RIGHTS = "allow billing lock * *";
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path folder;

  private Path write(String name, String... lines) throws Exception {
    Path draft = Files.write(folder.resolve(name + ".new"), List.of(lines));
    return Files.move(draft, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private LockServer serve(BearerToken token) throws Exception {
    Path auth = write("auth", token.line("billing"), RIGHTS);
    return LockServer.start("memory:", RemoteStore.OPTIONS.withAuthFile(auth));
  }

  private static String address(LockServer server, Path token) {
    return server.address() + "?holdfast.tokenFile=" + token;
  }

  @Test
  void aHoldGoesOnWhenTheTokenOfItsClientIsChanged() throws Exception {
    BearerToken old = BearerToken.create();
    BearerToken renewed = BearerToken.create();
    Path file = write("token", old.secret());
    try (LockServer server = serve(old);
        Holdfast holdfast =
            Holdfast.connect(address(server, file), HoldfastOptions.DEFAULTS.withLease(LEASE))) {
      Hold hold = holdfast.lock("orders").acquire(LONG);
      write("auth", old.line("billing"), renewed.line("billing"), RIGHTS);
      awaitValid(server, write("probe", renewed.secret()), true);
      write("token", renewed.secret());
      write("auth", renewed.line("billing"), RIGHTS);
      awaitValid(server, write("probe", old.secret()), false);
      long end = System.nanoTime() + LEASE.multipliedBy(3).toNanos();
      while (System.nanoTime() < end) {
        assertThat(hold.isHeld()).as("%s", hold.loss()).isTrue();
        LockSupport.parkNanos(20_000_000L);
      }
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
      holdfast.lock("orders").acquire(LONG).release();
    }
  }

  private static void awaitValid(LockServer server, Path token, boolean isValid) {
    Await.until("the auth file is read", LONG, () -> isAccepted(server, token) == isValid);
  }

  private static boolean isAccepted(LockServer server, Path token) {
    try (LockEngine engine = RemoteStore.open(address(server, token))) {
      engine.attempt(Tickets.of("probe"), Tickets.IGNORED);
      return true;
    } catch (EngineException e) {
      assertThat(e).isInstanceOf(EngineException.NotDone.class);
      return false;
    }
  }

  @Test
  void aMissingOrWrongTokenIsNamedAndNotRepeated() throws Exception {
    BearerToken wrong = BearerToken.create();
    try (LockServer server = serve(BearerToken.create());
        LockEngine without = RemoteStore.open(server.address());
        LockEngine with = RemoteStore.open(address(server, write("token", wrong.secret())))) {
      assertThatThrownBy(() -> without.attempt(Tickets.of("a"), Tickets.IGNORED))
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("needs a token (401)")
          .hasMessageContaining("HOLDFAST_TOKEN");
      assertThatThrownBy(() -> with.attempt(Tickets.of("a"), Tickets.IGNORED))
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("does not know the token of this client (401)")
          .hasMessageNotContaining(wrong.secret());
    }
  }

  @Test
  void aNameWithoutTheRightIsRefusedForGood() throws Exception {
    BearerToken token = BearerToken.create();
    Path file = write("token", token.secret());
    Path auth = write("auth", token.line("billing"), "allow billing lock default orders/*");
    try (LockServer server = LockServer.start("memory:", RemoteStore.OPTIONS.withAuthFile(auth));
        LockEngine engine = RemoteStore.open(address(server, file))) {
      assertThatThrownBy(() -> engine.attempt(Tickets.of("stock"), Tickets.IGNORED))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("right lock on \"stock\"");
    }
  }
}
