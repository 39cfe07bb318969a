package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import io.holdfast.rig.rules.EngineArchitecture;
import io.holdfast.rig.rules.SourceRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which room depends on which, and what is documented. */
class ZooKeeperArrowsTest {

  private static final EngineArchitecture HOUSE = EngineArchitecture.of(ZooKeeperEngine.class);
  private static final SourceRules SOURCES = SourceRules.ofThisModule();

  @Test
  void only_guards_know_more_of_the_core_than_its_spi() {
    assertThat(HOUSE.knowsMoreThanTheSpi()).isEmpty();
  }

  /** What each room may use; none may use the root, which wires them. */
  @ParameterizedTest
  @CsvSource({
    "connection, connection",
    "layout, layout|connection",
    "signals, signals|connection",
    "session, session|signals|layout|connection",
    "verbs, verbs|session|signals|layout|connection",
    "admin, admin|session|layout|connection"
  })
  void rooms_use_only_rooms_below_them(String room, String allowed) {
    assertThat(HOUSE.dependencies(type -> HOUSE.isOf(type, "." + room))).isNotEmpty();
    assertThat(HOUSE.arrowsOut("." + room, "\\.(" + allowed + ")\\..*")).isEmpty();
  }

  @Test
  void the_root_has_only_public_types_and_the_parser_of_addresses() {
    assertThat(HOUSE.dependencies(type -> HOUSE.isOf(type, "")).map(Dependency::getOriginClass))
        .map(type -> EngineArchitecture.top(type).getSimpleName())
        .containsOnly(
            "ZooKeeperEngine",
            "ZooKeeperEngineProvider",
            "ZooKeeperFenceGuard",
            "ZooKeeperOptions",
            "ZooKeeperUri",
            "package-info");
  }

  @Test
  void nothing_of_the_server_that_comes_with_the_client_is_used() {
    assertThat(
            HOUSE
                .dependencies(type -> true)
                .map(EngineArchitecture::target)
                .filter(target -> target.startsWith("org.apache.zookeeper.server.")))
        .isEmpty();
  }

  @Test
  void public_types_cannot_be_extended_and_are_documented() {
    assertThat(HOUSE.publicTypes()).hasSizeGreaterThan(6);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SOURCES.undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
