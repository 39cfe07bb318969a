package io.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorTest {

  @TempDir Path folder;
  private Path file;
  private final BearerToken token = BearerToken.create();
  private final BearerToken next = BearerToken.create();

  @BeforeEach
  void writeFile() throws IOException {
    file = folder.resolve("auth");
    replace(token.line("billing") + "\nallow billing lock default *\nallow CN=web lock default *");
  }

  /** As operators should: another file is moved to its place. */
  private void replace(String text) throws IOException {
    Path draft = folder.resolve("auth.new");
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void lookTwice(Authenticator authenticator) {
    authenticator.look();
    authenticator.look();
  }

  private static List<String> bearer(BearerToken token) {
    return List.of("Bearer " + token.secret());
  }

  private static Principal accepted(Authentication authentication) {
    assertThat(authentication).isInstanceOf(Authentication.Accepted.class);
    return ((Authentication.Accepted) authentication).principal();
  }

  private static Refusal rejected(Authentication authentication) {
    assertThat(authentication).isInstanceOf(Authentication.Rejected.class);
    Refusal refusal = ((Authentication.Rejected) authentication).refusal();
    assertThat(refusal.status()).isEqualTo(401);
    assertThat(refusal.authenticate().orElseThrow()).startsWith("Bearer realm=\"holdfast\"");
    return refusal;
  }

  @Test
  @DisplayName("without an auth file every caller is one principal with all rights")
  void local() {
    Authenticator local = Authenticator.local();

    Principal caller = accepted(local.authenticate(List.of("Bearer whatever"), Optional.empty()));

    assertThat(local.isRequired()).isFalse();
    for (Right right : Right.values()) {
      assertThat(caller.mayEverywhere(right)).isTrue();
    }
  }

  @Test
  @DisplayName("a token or a certificate tells who the caller is; a token decides")
  void who() {
    Authenticator authenticator = Authenticator.reading(file);
    Optional<X500Principal> web = Optional.of(new X500Principal("CN=web"));

    assertThat(authenticator.isRequired()).isTrue();
    assertThat(accepted(authenticator.authenticate(bearer(token), Optional.empty())).name())
        .isEqualTo("billing");
    assertThat(accepted(authenticator.authenticate(List.of(), web)).name()).isEqualTo("CN=web");
    assertThat(accepted(authenticator.authenticate(bearer(token), web)).name())
        .isEqualTo("billing");
    assertThat(
            accepted(
                    authenticator.authenticate(
                        List.of("  bearer   " + token.secret() + " "), Optional.empty()))
                .name())
        .isEqualTo("billing");
    rejected(authenticator.authenticate(bearer(next), web));
    rejected(authenticator.authenticate(List.of(), Optional.of(new X500Principal(""))));
  }

  @Test
  @DisplayName("no credentials and wrong credentials are told apart, as RFC 6750 wants")
  void challenge() {
    Authenticator authenticator = Authenticator.reading(file);

    assertThat(
            rejected(authenticator.authenticate(List.of(), Optional.empty())).authenticate().get())
        .doesNotContain("error");
    assertThat(
            rejected(authenticator.authenticate(bearer(next), Optional.empty()))
                .authenticate()
                .get())
        .contains("error=\"invalid_token\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SECRET",
        "Basic SECRET",
        "Bearer",
        "Bearer ",
        "Bearer SECRET SECRET",
        "Bearer sha256:SECRET"
      })
  @DisplayName("a malformed header is refused without repeating it")
  void malformed(String header) {
    String text = header.replace("SECRET", token.secret());

    Refusal refusal =
        rejected(Authenticator.reading(file).authenticate(List.of(text), Optional.empty()));

    assertThat(refusal.toString()).doesNotContain(token.secret());
  }

  @Test
  @DisplayName("two headers are refused, even when one is right")
  void twoHeaders() {
    rejected(
        Authenticator.reading(file)
            .authenticate(List.of(bearer(token).get(0), "Bearer x"), Optional.empty()));
  }

  @Test
  @DisplayName("the hash of a token is not a token")
  void hashIsNoToken() {
    String hash = token.line("x").split(" ", -1)[1];
    Authenticator authenticator = Authenticator.reading(file);

    rejected(authenticator.authenticate(List.of("Bearer " + hash), Optional.empty()));
    rejected(authenticator.authenticate(List.of("Bearer " + hash.substring(7)), Optional.empty()));
  }

  @Test
  @DisplayName("a new file counts without a restart, for open connections as well")
  void rotation() throws IOException {
    Authenticator authenticator = Authenticator.reading(file);
    Authentication.Accepted old =
        (Authentication.Accepted) authenticator.authenticate(bearer(token), Optional.empty());

    replace(token.line("billing") + "\n" + next.line("billing") + "\nallow billing look * *");
    lookTwice(authenticator);

    assertThat(accepted(authenticator.authenticate(bearer(next), Optional.empty())).name())
        .isEqualTo("billing");
    Principal now = old.identity().principal().orElseThrow();
    assertThat(now.may(Right.LOCK, "default", "x")).isFalse();
    assertThat(now.may(Right.LOOK, "default", "x")).isTrue();

    replace(next.line("billing") + "\nallow billing look * *");
    lookTwice(authenticator);

    assertThat(old.identity().principal()).isEmpty();
    assertThat(Identity.ended().status()).isEqualTo(401);
    rejected(authenticator.authenticate(bearer(token), Optional.empty()));
  }

  @Test
  @DisplayName("a file of the same time and size is noticed")
  void sameTimeAndSize() throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    Authenticator authenticator = Authenticator.reading(file);

    replace(next.line("billing") + "\nallow billing lock default *\nallow CN=web lock default *");
    Files.setLastModifiedTime(file, time);
    lookTwice(authenticator);

    accepted(authenticator.authenticate(bearer(next), Optional.empty()));
  }

  @Test
  @DisplayName("a file that is being written is not used before it is complete")
  void halfWritten() throws IOException {
    Authenticator authenticator = Authenticator.reading(file);
    String whole = Files.readString(file);

    Files.writeString(file, "# half");
    authenticator.look();
    accepted(authenticator.authenticate(bearer(token), Optional.empty()));
    Files.writeString(file, whole + "\n# whole");
    authenticator.look();
    accepted(authenticator.authenticate(bearer(token), Optional.empty()));
  }

  @Test
  @DisplayName("a broken or missing file keeps the old one and says so, until it is good again")
  void broken() throws IOException {
    Authenticator authenticator = Authenticator.reading(file);
    String good = Files.readString(file);
    assertThat(authenticator.problem()).isEmpty();

    replace("token " + next.secret() + " billing");
    lookTwice(authenticator);
    lookTwice(authenticator);
    assertThat(authenticator.problem().orElseThrow())
        .contains(file.toString())
        .contains("line 1: the hash of a token must be")
        .doesNotContain(next.secret());
    accepted(authenticator.authenticate(bearer(token), Optional.empty()));

    Files.delete(file);
    lookTwice(authenticator);
    assertThat(authenticator.problem().orElseThrow()).contains("does not exist");
    accepted(authenticator.authenticate(bearer(token), Optional.empty()));

    replace(good);
    lookTwice(authenticator);
    assertThat(authenticator.problem()).isEmpty();

    replace(next.line("billing"));
    lookTwice(authenticator);
    accepted(authenticator.authenticate(bearer(next), Optional.empty()));
    rejected(authenticator.authenticate(bearer(token), Optional.empty()));
  }

  @Test
  @DisplayName("at the start a broken, missing or foreign-writable file is an error")
  void atStart() throws IOException {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> Authenticator.reading(missing))
        .hasMessage("auth file " + missing + " does not exist");

    Files.write(file, new byte[] {'#', (byte) 0xff});
    assertThatThrownBy(() -> Authenticator.reading(file))
        .hasMessage("auth file " + file + " cannot be used: the file must be UTF-8");

    replace("allow");
    assertThatThrownBy(() -> Authenticator.reading(file)).hasMessageContaining("line 1: ");

    replace("");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertThatThrownBy(() -> Authenticator.reading(file))
        .hasMessageContaining("must not be writable by everybody");
  }

  @Test
  @DisplayName("a new file that everybody may write is not used")
  void writableLater() throws IOException {
    Authenticator authenticator = Authenticator.reading(file);
    replace(next.line("billing"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    lookTwice(authenticator);

    assertThat(authenticator.problem().orElseThrow()).contains("must not be writable by everybody");
    accepted(authenticator.authenticate(bearer(token), Optional.empty()));
  }

  @Test
  @Timeout(30)
  @DisplayName("files are looked at without being asked to")
  void byItself() throws Exception {
    CountDownLatch changed = new CountDownLatch(1);
    try (WatchedFiles<Integer> watched =
        new WatchedFiles<>(
            "test file",
            List.of(file),
            contents -> contents.get(0).length,
            value -> changed.countDown())) {
      watched.start();
      replace("four");
      assertThat(changed.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  @DisplayName("a change that cannot be put into use keeps the old value")
  void notUsable() throws IOException {
    WatchedFiles<Integer> watched =
        new WatchedFiles<>(
            "test file",
            List.of(file),
            contents -> contents.get(0).length,
            value -> {
              throw new java.security.GeneralSecurityException("no");
            });
    int before = watched.current();

    replace("four");
    watched.look();
    watched.look();

    assertThat(watched.current()).isEqualTo(before);
    assertThat(watched.problem().orElseThrow()).contains("no");
  }
}
