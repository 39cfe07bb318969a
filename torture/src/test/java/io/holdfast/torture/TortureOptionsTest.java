package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TortureOptionsTest {

  @Test
  @DisplayName("options are read with and without an equals sign")
  void read() {
    TortureOptions options =
        TortureOptions.parse(
            List.of(
                "--store=etcd", "--minutes", "0.5", "--lease=3", "--planted", "deadline,guard"));
    assertThat(options.time()).isEqualTo(Duration.ofSeconds(30));
    assertThat(options.lease()).isEqualTo(Duration.ofSeconds(3));
    assertThat(options.planted()).containsExactly(PlantedBug.DEADLINE, PlantedBug.GUARD);
    assertThat(options.isGiven()).isFalse();
  }

  @Test
  @DisplayName("an address is a store of somebody else, and is not printed")
  void address() {
    TortureOptions options = TortureOptions.parse(List.of("--store=redis://:secret@db:6379"));
    assertThat(options.isGiven()).isTrue();
    assertThat(options.label()).doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--minutes=5",
        "--store=memory",
        "--store=memory:shared",
        "--store=oracle",
        "--store=redis --minutes=0",
        "--store=redis --lease=1",
        "--store=redis --workers=many",
        "--store=redis --planted=bugs",
        "--store=redis --faster",
        "--store"
      })
  @DisplayName("unknown options are refused")
  void refused(String line) {
    assertThatThrownBy(() -> TortureOptions.parse(List.of(line.split(" "))))
        .isInstanceOf(BadOptionException.class);
  }
}
