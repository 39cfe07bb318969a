package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.EngineHouse;
import io.holdfast.rig.SourceRules;
import org.junit.jupiter.api.Test;

/** The rules of the house: who depends on whom and what is documented. */
class ZooKeeperArrowsTest {

  private static final EngineHouse HOUSE = EngineHouse.of(ZooKeeperEngine.class);
  private static final SourceRules SOURCES = SourceRules.ofThisModule();

  @Test
  void only_guards_know_more_of_the_core_than_its_spi() {
    assertThat(HOUSE.knowsMoreThanTheSpi()).isEmpty();
  }

  @Test
  void nothing_of_the_server_that_comes_with_the_client_is_used() {
    assertThat(
            HOUSE
                .dependencies(type -> true)
                .map(EngineHouse::target)
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
