package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.EngineHouse;
import io.holdfast.rig.SourceRules;
import org.junit.jupiter.api.Test;

/** The rules of the house: who depends on whom and what is documented. */
class EtcdArrowsTest {

  private static final EngineHouse HOUSE = EngineHouse.of(EtcdEngine.class);
  private static final SourceRules SOURCES = SourceRules.ofThisModule();

  @Test
  void only_guards_know_more_of_the_core_than_its_spi() {
    assertThat(HOUSE.knowsMoreThanTheSpi()).isEmpty();
  }

  @Test
  void the_wire_knows_nothing_of_the_engine() {
    assertThat(HOUSE.arrowsOut(".wire", "\\.wire\\..*")).isEmpty();
  }

  @Test
  void public_types_cannot_be_extended_and_are_documented() {
    assertThat(HOUSE.publicTypes()).hasSizeGreaterThan(5);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SOURCES.undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
