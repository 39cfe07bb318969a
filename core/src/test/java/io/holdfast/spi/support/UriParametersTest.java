package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UriParametersTest {

  private static final Set<String> TLS =
      Set.of("tls", "trustStore", "trustStorePassword", "keyStore", "keyStorePassword");

  private static UriParameters one(String value) {
    return UriParameters.of(Map.of("it", value));
  }

  private static Optional<TlsFiles> tls(String query, boolean secure) {
    return UriParameters.parse("x", query, TLS)
        .tls(secure ? Optional.of("xs") : Optional.empty(), "xs:// or tls=true");
  }

  @ParameterizedTest
  @CsvSource({"0ms, PT0S", "500ms, PT0.5S", "10s, PT10S", "5m, PT5M", "1h, PT1H"})
  void times(String value, Duration time) {
    assertThat(one(value).time("it")).contains(time);
  }

  @Test
  void values() {
    assertThat(one("a+b c").text("it")).contains("a+b c");
    assertThat(one("-7").number("it")).contains(-7);
    assertThat(one("0.05").fraction("it")).contains(0.05);
    assertThat(one("on").flag("it")).contains(true);
    assertThat(one("true").flag("it")).contains(true);
    assertThat(one("off").flag("it")).contains(false);
    assertThat(one("false").flag("it")).contains(false);
    assertThat(one("Fifo").choice("it", Order.class)).contains(Order.FIFO);
  }

  @Test
  void what_was_not_given_is_empty() {
    UriParameters none = UriParameters.parse("x", "", Set.of("it"));
    assertThat(none.has("it")).isFalse();
    assertThat(none.text("it")).isEmpty();
    assertThat(none.time("it")).isEmpty();
    assertThat(none.number("it")).isEmpty();
    assertThat(none.fraction("it")).isEmpty();
    assertThat(none.flag("it")).isEmpty();
    assertThat(none.choice("it", Order.class)).isEmpty();
    assertThat(none.tls(Optional.empty(), "tls=true")).isEmpty();
  }

  @Test
  void a_wrong_value_is_named_with_its_rule_and_without_a_cause() {
    UriParameters wrong = one("wrong");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> wrong.time("it"))
        .withNoCause()
        .withMessage("it must be a time such as 500ms, 10s, 5m or 1h: it=wrong");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> wrong.number("it"))
        .withNoCause()
        .withMessage("it must be a whole number: it=wrong");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> wrong.fraction("it"))
        .withNoCause()
        .withMessage("it must be a number: it=wrong");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> wrong.flag("it"))
        .withNoCause()
        .withMessage("it must be true or false, on or off: it=wrong");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> wrong.choice("it", Order.class))
        .withNoCause()
        .withMessage("it must be any or fifo: it=wrong");
  }

  @Test
  void files_of_tls() {
    assertThat(tls("", false)).isEmpty();
    assertThat(tls("tls=off", false)).isEmpty();
    assertThat(tls("", true)).contains(new TlsFiles(Optional.empty(), Optional.empty()));
    assertThat(tls("tls=on", true)).isPresent();
    TlsFiles files =
        tls("tls=true&trustStore=/t&trustStorePassword=s3cret&keyStore=/k", false).orElseThrow();
    assertThat(files.trustStore()).contains(new TlsFiles.StoreFile(Path.of("/t"), "s3cret"));
    assertThat(files.keyStore()).contains(new TlsFiles.StoreFile(Path.of("/k"), ""));
    assertThat(files.toString()).contains("/t").doesNotContain("s3cret");
  }

  @ParameterizedTest
  @CsvSource({
    "trustStore=/t, false, trustStore needs TLS: write xs:// or tls=true",
    "tls=off&keyStore=/t, false, keyStore needs TLS: write xs:// or tls=true",
    "keyStorePassword=s3cret, false, keyStorePassword needs TLS: write xs:// or tls=true",
    "trustStorePassword=s3cret, true, trustStorePassword needs a trustStore",
    "tls=on&keyStorePassword=s3cret, false, keyStorePassword needs a keyStore",
    "tls=off, true, xs:// means TLS: tls=off",
    "trustStore=, true, trustStore must be the path of a file: trustStore=",
    "keyStore=%00, true, keyStore must be the path of a file: keyStore=?"
  })
  void files_of_tls_must_fit_together(String query, boolean secure, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tls(query, secure))
        .withNoCause()
        .withMessage(message);
  }

  @Test
  void parameters_of_drivers_are_checked_for_two_of_one_name() {
    UriParameters.requireDistinct(List.of("a=1", "b=1", "c", "c", ""));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UriParameters.requireDistinct(List.of("a=1", "a=2")))
        .withMessage("give each parameter once: a");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> UriParameters.requireDistinct(List.of("=s3cret")))
        .withMessage("a parameter must be NAME=VALUE");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> UriParameters.requireDistinct(List.of("PASSWORD=x", "s3cret=1", "s3cret=2")))
        .withMessage(
            "give each parameter once; in a password an ampersand must be percent-encoded, as %26");
  }
}
