package io.holdfast.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.CliException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The address of a store:")
class StoreAddressTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://:s3cret@host/1",
        "redis://app:s3cret@host",
        "etcd://app:s3cret@host1,host2",
        "jdbc:postgresql://host/db?user=app&password=s3cret",
        "jdbc:mariadb://host/db?PASSWORD=s3cret",
        "jdbc:h2:tcp://host/db;USER=app;PASSWORD=s3cret",
        "rediss://host?trustStorePassword=s3cret",
        "jdbc:mariadb://address=(host=host)(port=1)(user=app)(password=s3cret)/db",
        "jdbc:mariadb:replication://address=(host=host),address=(host=h2)( PASSWORD =s3cret)/db",
        "jdbc:mariadb://address=(host=::1)(user=a@b)(password=x@s3cret)/db",
        "redis://:pa;s3cret@host",
        "redis://:pa(s3cret@host/1",
        "redis://app:(s3cret;@host?holdfast.lease=5s",
        "etcd://app:x=(s3cret@host1,host2",
        "jdbc:mysql://app:pa(s3cret@host/db"
      })
  @DisplayName("a password on the command line is refused and never shown")
  void refusesPasswords(String uri) {
    assertThatThrownBy(() -> StoreAddress.refusePassword(uri))
        .isInstanceOf(CliException.class)
        .hasMessageContaining("HOLDFAST_PASSWORD")
        .hasMessageNotContaining("s3cret");
    assertThat(new StoreAddress(uri)).asString().doesNotContain("s3cret", "pa;", "pa(");
  }

  @ParameterizedTest
  @CsvSource({
    "redis://:pa;ss@host/1, redis://host/1",
    "redis://app:pa(ss@host?x=y, redis://host",
    "redis://:pa/ss@host, redis://host",
    "jdbc:postgresql://host/db?user=app, jdbc:postgresql://host/db",
    "jdbc:h2:tcp://host/db;USER=app;PASSWORD=p@ss, jdbc:h2:tcp://host/db",
    "JDBC:H2:tcp://host/db;PASSWORD=p@ss, JDBC:H2:tcp://host/db",
    "jdbc:mariadb://address=(host=host)(password=p@ss)/db, jdbc:mariadb://address=",
    "jdbc:mysql://app:ss@host/db, jdbc:mysql://host/db",
    "'jdbc:mysql://app:ss@(host=h,password=p@ss)/db', jdbc:mysql://",
    "jdbc:sqlite:/home/a/x@y.db, jdbc:sqlite:/home/a/x@y.db",
    "memory:, memory:"
  })
  @DisplayName("for people it has neither login nor parameters")
  void shown(String uri, String shown) {
    assertThat(new StoreAddress(uri).shown()).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://host:6379/1",
        "redis://app@host",
        "jdbc:postgresql://host/db?user=app",
        "jdbc:sqlite:/home/a/x@y.db",
        "zookeeper://h1:2181,h2:2181/chroot",
        "etcd://h1,h2,h3",
        "jdbc:mariadb://address=(host=host)(port=1)/db?user=app",
        "jdbc:mariadb://address=(host=::1)(port=1)(user=a@b)/db",
        "memory:"
      })
  @DisplayName("one without is taken")
  void takesOthers(String uri) {
    StoreAddress.refusePassword(uri);
  }

  @Test
  @DisplayName("knows which holdfast options it contains")
  void says() {
    StoreAddress address = new StoreAddress("redis://host?holdfast.lease=5s");
    assertThat(address.says("lease")).isTrue();
    assertThat(address.says("margin")).isFalse();
  }
}
