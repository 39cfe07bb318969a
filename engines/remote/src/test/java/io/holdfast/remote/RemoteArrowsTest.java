package io.holdfast.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.rules.EngineArchitecture;
import io.holdfast.rig.rules.SourceRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of the house: which package may use which, and what is documented. */
class RemoteArrowsTest {

  private static final EngineArchitecture HOUSE = EngineArchitecture.of(RemoteEngine.class);
  private static final SourceRules SOURCES = SourceRules.ofThisModule();

  @Test
  void nothing_knows_more_of_the_core_than_its_spi() {
    assertThat(HOUSE.knowsMoreThanTheSpi()).isEmpty();
  }

  /** The root wires the rooms; no room uses the root. */
  @ParameterizedTest
  @CsvSource({"verbs, connection", "admin, connection", "connection, connection"})
  void rooms_use_only_the_rooms_below_them(String room, String below) {
    String part = "." + room;
    assertThat(HOUSE.dependencies(type -> HOUSE.isOf(type, part))).isNotEmpty();
    assertThat(HOUSE.arrowsOut(part, "\\.(" + room + "|" + below + ")\\..*")).isEmpty();
  }

  @Test
  void public_types_cannot_be_extended_and_are_documented() {
    assertThat(HOUSE.publicTypes()).hasSizeGreaterThan(5);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SOURCES.undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
