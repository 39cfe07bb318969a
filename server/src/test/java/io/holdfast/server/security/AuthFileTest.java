package io.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthFileTest {

  private static final BearerToken TOKEN = BearerToken.create();
  private static final String HASH = TOKEN.line("x").split(" ", -1)[1];

  private static Principal principal(String text) {
    return AuthFile.parse(TOKEN.line("billing") + "\n" + text).principal(TOKEN).orElseThrow();
  }

  @Test
  @DisplayName("a token finds its principal, and another one does not")
  void tokens() {
    BearerToken other = BearerToken.create();
    AuthFile file =
        AuthFile.parse(
            TOKEN.line("billing")
                + "\r\n\n  # a comment\n"
                + other.line("ops")
                + "  # until March\n\tallow ops all * *");

    assertThat(file.principal(TOKEN)).map(Principal::name).contains("billing");
    assertThat(file.principal(other)).map(Principal::name).contains("ops");
    assertThat(file.principal(BearerToken.create())).isEmpty();
    assertThat(file.principals()).extracting(Principal::name).containsOnly("billing", "ops");
  }

  @Test
  @DisplayName("a principal may have several tokens, so that one can be changed for another")
  void rotation() {
    BearerToken next = BearerToken.create();
    AuthFile file = AuthFile.parse(TOKEN.line("billing") + "\n" + next.line("billing"));

    assertThat(file.principal(TOKEN)).isEqualTo(file.principal(next)).isPresent();
  }

  @Test
  @DisplayName("the hash is that of sha256sum")
  void hash() {
    AuthFile file =
        AuthFile.parse(
            "token sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD abc");

    assertThat(file.principal(BearerToken.of("abc").orElseThrow()))
        .map(Principal::name)
        .contains("abc");
  }

  @Test
  @DisplayName("rules cover a name, a prefix or everything, in one namespace or all")
  void rules() {
    Principal billing =
        principal(
            """
            allow billing lock,look default orders/*
            allow billing operate   default orders/42
            allow billing count     *       *
            allow billing look      other   "a name with \\"spaces\\" # and \\\\"
            """);

    assertThat(billing.may(Right.LOCK, "default", "orders/42")).isTrue();
    assertThat(billing.may(Right.LOCK, "default", "orders/")).isTrue();
    assertThat(billing.may(Right.LOCK, "default", "orders")).isFalse();
    assertThat(billing.may(Right.LOCK, "other", "orders/42")).isFalse();
    assertThat(billing.may(Right.LOOK, "default", "orders/42")).isTrue();
    assertThat(billing.may(Right.OPERATE, "default", "orders/42")).isTrue();
    assertThat(billing.may(Right.OPERATE, "default", "orders/421")).isFalse();
    assertThat(billing.may(Right.COUNT, "anything", "at all")).isTrue();
    assertThat(billing.may(Right.LOOK, "other", "a name with \"spaces\" # and \\")).isTrue();
    assertThat(billing.may(Right.LOOK, "other", "a name")).isFalse();
  }

  @Test
  @DisplayName("a principal without rules may do nothing")
  void noRules() {
    Principal billing = principal("");

    for (Right right : Right.values()) {
      assertThat(billing.may(right, "default", "x")).isFalse();
      assertThat(billing.mayAnywhere(right)).isFalse();
    }
  }

  @Test
  @DisplayName("the subject of a certificate is compared as a name, not as text")
  void subjects() {
    AuthFile file = AuthFile.parse("allow \"cn=Billing Service, O=Example\" lock default *");

    Principal billing = file.principal(new X500Principal("CN=billing service,O=example"));
    Principal other = file.principal(new X500Principal("CN=billing service,O=Other"));

    assertThat(billing.may(Right.LOCK, "default", "x")).isTrue();
    assertThat(other.may(Right.LOCK, "default", "x")).isFalse();
    assertThat(other.name()).isEqualTo("CN=billing service,O=Other");
  }

  @Test
  @DisplayName("a certificate cannot take the name of a token's principal")
  void noMixUp() {
    AuthFile file = AuthFile.parse("allow ops all * *\n" + TOKEN.line("ops"));

    Principal mallory = file.principal(new X500Principal("CN=ops"));

    assertThat(mallory.mayAnywhere(Right.LOOK)).isFalse();
  }

  @Test
  @DisplayName("two spellings of one subject share their rules")
  void spellings() {
    AuthFile file = AuthFile.parse("allow \"CN=a, O=b\" lock d x\nallow cn=A,o=B look d x");

    Principal both = file.principal(new X500Principal("CN=a,O=b"));

    assertThat(both.may(Right.LOCK, "d", "x")).isTrue();
    assertThat(both.may(Right.LOOK, "d", "x")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alow x all * *|line 2: a line must begin with token, allow or #: alow",
        "allow x all *|line 2: a line with rights must be: allow PRINCIPAL RIGHTS NAMESPACE NAMES",
        "allow x lokc * *|line 2: rights must be lock, look, operate or count, with commas between"
            + " them, or all: \"lokc\"",
        "allow x lock,lock * *|line 2: a right must be given once: lock",
        "allow x all Default *|line 2: namespace must match",
        "allow x all * */x|line 2: in names a * may only be the last character: \"*/x\"",
        "allow _ all * *|line 2: a principal must match",
        "allow x= all * *|line 2: a principal with an equals sign must be the subject",
        "allow x all * \"a|line 2: a quoted field must end on its line: column=15",
        "allow x all * \"a\"b|line 2: a space must follow a quoted field: column=18",
        "allow x all * \"\\n\"|line 2: in a quoted field write",
        "allow x all * \"\"|line 2: name must be 1..512 bytes",
      })
  @DisplayName("an error has the line, the rule and the value")
  void errors(String line, String message) {
    assertThatThrownBy(() -> AuthFile.parse("# first\n" + line))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  @DisplayName("a token is given once")
  void twice() {
    assertThatThrownBy(() -> AuthFile.parse(TOKEN.line("a") + "\n" + TOKEN.line("b")))
        .hasMessage("line 2: a token must be given once: line 1 has the same");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SECRET",
        "token SECRET",
        "token SECRET billing",
        "token billing SECRET",
        "token sha256:SECRET billing",
        "token HASH SECRET",
        "token HASH SECRET extra",
        "token HASH \"SECRET",
        "allow SECRET all * *",
        "allow x all",
        "\"SECRET\" x",
        "\"SECRET\"x",
      })
  @DisplayName("no error and no warning repeats what may be a token")
  void noSecrets(String line) {
    String secret = TOKEN.secret();
    String text = line.replace("SECRET", secret).replace("HASH", HASH);

    assertThatThrownBy(() -> AuthFile.parse(text))
        .message()
        .startsWith("line 1: ")
        .doesNotContain(secret.substring(BearerToken.PREFIX.length()))
        .doesNotContain(HASH.substring(10));
  }

  @Test
  @DisplayName("a principal with a token and no rights, or the reverse, is a warning")
  void warnings() {
    AuthFile file =
        AuthFile.parse("allow a lock * *\n" + TOKEN.line("b") + "\nallow CN=c lock * *");

    assertThat(file.warnings())
        .containsExactly(
            "line 1: the principal has rights and no token",
            "line 2: the principal has a token and no rights");
  }

  @Test
  @DisplayName("a created token is long, different each time, and in no text but its own")
  void created() {
    BearerToken token = BearerToken.create();

    assertThat(token.secret()).matches("holdfast_[A-Za-z0-9_-]{43}");
    assertThat(token.secret()).isNotEqualTo(BearerToken.create().secret());
    assertThat(token).asString().doesNotContain(token.secret());
    assertThat(token.line("billing"))
        .matches("token sha256:[0-9a-f]{64} billing")
        .doesNotContain(token.secret());
    assertThat(AuthFile.parse(token.line("CN=a b, O=\"c, d\"")).principal(token))
        .map(Principal::name)
        .isEqualTo(Optional.of("CN=a b,O=c\\, d"));
    assertThat(BearerToken.of("with space")).isEmpty();
    assertThat(BearerToken.of("a".repeat(2000))).isEmpty();
    assertThatThrownBy(() -> token.line("")).isInstanceOf(IllegalArgumentException.class);
  }
}
