package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.runtime.client.ConnectUri;
import io.holdfast.spi.Order;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options in an address, and secrets that appear in no message. */
class ConnectUriTest {

  private static HoldfastOptions options(String uri) {
    return ConnectUri.parse(uri).applyTo(HoldfastOptions.DEFAULTS);
  }

  @Test
  void everyOptionCanBeSaidInTheAddress() {
    HoldfastOptions options =
        options(
            "memory:?holdfast.namespace=billing&holdfast.order=fifo&holdfast.lease=10s"
                + "&holdfast.drift=0.1&holdfast.margin=200ms&holdfast.lockDelay=3s"
                + "&holdfast.maxHold=1h&holdfast.generation=7&holdfast.app=shop"
                + "&holdfast.text=a%20b%26c&holdfast.operationTimeout=500ms&holdfast.lanes=3"
                + "&holdfast.queueLimit=9&holdfast.failFast=true&holdfast.traceAcquires=false");
    assertThat(options)
        .isEqualTo(
            HoldfastOptions.DEFAULTS
                .withNamespace("billing")
                .withOrder(Order.FIFO)
                .withLease(Duration.ofSeconds(10))
                .withDrift(0.1)
                .withMargin(Duration.ofMillis(200))
                .withLockDelay(Duration.ofSeconds(3))
                .withMaxHold(Duration.ofHours(1))
                .withGeneration(7)
                .withApp("shop")
                .withText("a b&c")
                .withOperationTimeout(Duration.ofMillis(500))
                .withLanes(3)
                .withQueueLimit(9)
                .withFailFast(true)
                .withTraceAcquires(false));
    assertThat(options("memory:?holdfast.fixedLease=5m").fixedLease()).isTrue();
    assertThat(options("memory:?holdfast.order=ANY").order()).isEqualTo(Order.ANY);
  }

  @Test
  void theOrderOfParametersDoesNotMatter() {
    assertThat(options("memory:?holdfast.margin=9s&holdfast.lease=60s").margin())
        .isEqualTo(Duration.ofSeconds(9));
    assertThat(options("memory:?holdfast.lease=60s&holdfast.margin=9s").margin())
        .isEqualTo(Duration.ofSeconds(9));
  }

  @ParameterizedTest
  @CsvSource({
    "holdfast.leese=10s,holdfast.leese",
    "holdfast.=1,holdfast.",
    "holdfast.lease=10,500ms",
    "holdfast.lease=-1s,500ms",
    "holdfast.lease=,500ms",
    "holdfast.lease=1s,lease=1 s",
    "holdfast.lanes=two,holdfast.lanes",
    "holdfast.lanes=1.5,whole number",
    "holdfast.lanes=99,lanes=99",
    "holdfast.drift=much,holdfast.drift",
    "holdfast.drift=NaN,drift=NaN",
    "holdfast.failFast=yes,true or false",
    "holdfast.order=random,any or fifo",
    "holdfast.generation=3000000000,holdfast.generation",
    "holdfast.lease=10s&holdfast.lease=20s,once"
  })
  void aParameterThatIsNotUnderstoodIsAnErrorThatNamesIt(String parameter, String part) {
    assertThatThrownBy(() -> options("memory:?" + parameter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(part);
  }

  @Test
  void parametersThatAreNotOursAreTheEngines() {
    assertThatThrownBy(() -> Holdfast.connect("memory:?sslmode=require&holdfast.lease=10s"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(options("jdbc:x://h/db?user=u&holdfast.lease=10s&ssl=true").lease())
        .isEqualTo(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nosuch://user:s3cr3t@host/0",
        "nosuch://user:s3cr3t@host?holdfast.lease=10s&password=s3cr3t",
        "nosuch://host?password=s3cr3t&holdfast.leese=10s",
        "://user:s3cr3t@host",
        "//user:s3cr3t@host",
        "memory:s3cr3t?token=s3cr3t",
        "user s3cr3t"
      })
  void noMessageQuotesWhatMayBeASecret(String uri) {
    Throwable thrown =
        catchThrowable(
            () -> {
              try (Holdfast unexpected = Holdfast.connect(uri)) {
                unexpected.health();
              }
            });
    assertThat(thrown).isInstanceOf(IllegalArgumentException.class);
    assertThat(thrown.toString() + thrown.getCause()).doesNotContain("s3cr3t");
  }

  @Test
  void anUnknownSchemeNamesTheAvailableOnes() {
    assertThatThrownBy(() -> Holdfast.connect("carrier-pigeon://loft"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("carrier-pigeon:", "memory");
  }

  /** No engine but that of memory is on the class path of this module. */
  @ParameterizedTest
  @CsvSource({
    "redis://h,holdfast-redis",
    "REDISS://h,holdfast-redis",
    "redis-sentinel://h,holdfast-redis",
    "redis-cluster://h,holdfast-redis",
    "redlock://h,holdfast-redis",
    "jdbc:h2:mem:x,holdfast-jdbc",
    "postgres://h/db,holdfast-jdbc; for this database write jdbc:postgresql:",
    "zookeeper://h,holdfast-zookeeper",
    "etcd://h,holdfast-etcd",
    "etcds://h,holdfast-etcd",
    "http://h,holdfast-remote",
    "https://h,holdfast-remote"
  })
  void theModuleOfAMissingEngineIsNamed(String uri, String module) {
    assertThatThrownBy(() -> Holdfast.connect(uri))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("available: [memory", "; add io.holdfast:" + module);
  }

  @Test
  void aSchemeOfNobodyNamesNoModule() {
    assertThatThrownBy(() -> Holdfast.connect("carrier-pigeon://loft"))
        .hasMessageNotContaining("; add");
  }

  @Test
  void theSchemeMayBeInCapitalsAndTheAddressGoesBeforeTheOptions() throws Exception {
    try (Holdfast holdfast =
            Holdfast.connect(
                "MEMORY:?holdfast.lease=10s",
                HoldfastOptions.DEFAULTS.withLease(Duration.ofSeconds(50)).withApp("shop"));
        Hold hold = holdfast.lock("a").acquire(Duration.ofSeconds(1))) {
      assertThat(hold.isHeld()).isTrue();
      assertThat(holdfast.options().lease()).isEqualTo(Duration.ofSeconds(10));
      assertThat(holdfast.options().app()).isEqualTo("shop");
    }
  }
}
