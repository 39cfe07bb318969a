package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses in messages. */
class ShownAddressTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis://db:6379/0                  | redis://db:6379/0",
        "redis://user:s3cr3t@db:6379        | redis://db:6379",
        "redis://user:s3@cr3t@db            | redis://db",
        "etcd://a:1,b:2,[::1]:3             | etcd://a:1,b:2,[::1]:3",
        "jdbc:postgresql://db:5432/app      | jdbc:postgresql://db:5432/app",
        "jdbc:postgresql://db/app?user=u    | jdbc:postgresql://db/app",
        "jdbc:h2:mem:x                      | jdbc:h2:...",
        "memory:?token=x                    | memory:..."
      })
  void showsWhereItLeads(String address, String shown) {
    assertThat(ShownAddress.of(address)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis://u:s3cr3t@db?password=s3cr3t",
        "redis://db?password=a@s3cr3t",
        "redis://u:a?b@s3cr3t@db",
        "redis://u:s3cr3t",
        "jdbc:h2:mem:x;PASSWORD=s3cr3t",
        "jdbc:oracle:thin:u/s3cr3t@db",
        "jdbc:sqlserver://db;password=s3cr3t",
        "memory:s3cr3t",
        "u s3cr3t",
        "s3cr3t"
      })
  void showsNothingThatMayBeASecret(String address) {
    assertThat(ShownAddress.of(address)).doesNotContain("s3cr3t");
  }
}
