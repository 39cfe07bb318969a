package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.EngineHouse;
import io.holdfast.rig.SourceRules;
import org.junit.jupiter.api.Test;

/** The rules of the house: who depends on whom and what is documented. */
class JdbcArrowsTest {

  private static final EngineHouse HOUSE = EngineHouse.of(JdbcEngine.class);
  private static final SourceRules SOURCES = SourceRules.ofThisModule();

  @Test
  void only_guards_and_locks_of_transactions_know_more_of_the_core_than_its_spi() {
    assertThat(HOUSE.knowsMoreThanTheSpi())
        .allSatisfy(
            line ->
                assertThat(line)
                    .containsAnyOf("TransactionLock", "SlotGate", "FenceTable", "GuardAddress"));
  }

  @Test
  void dialects_know_nothing_else_of_ours() {
    assertThat(HOUSE.arrowsOut(".dialect", "\\.dialect\\..*")).isEmpty();
  }

  @Test
  void the_wire_knows_dialects_alone() {
    assertThat(HOUSE.arrowsOut(".wire", "\\.(wire|dialect)\\..*")).isEmpty();
  }

  @Test
  void tables_know_the_wire_and_dialects_alone() {
    assertThat(HOUSE.arrowsOut(".table", "\\.(table|wire|dialect)\\..*")).isEmpty();
  }

  @Test
  void drivers_are_not_needed_but_to_listen() {
    assertThat(
            HOUSE
                .dependencies(type -> true)
                .filter(
                    dependency ->
                        EngineHouse.target(dependency)
                            .matches("org\\.(postgresql|mariadb|h2|sqlite).*"))
                .map(dependency -> EngineHouse.top(dependency.getOriginClass()).getSimpleName())
                .distinct())
        .containsExactlyInAnyOrder("PgSession", "PgListener");
  }

  @Test
  void public_types_cannot_be_extended_and_are_documented() {
    assertThat(HOUSE.publicTypes()).hasSizeGreaterThan(10);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SOURCES.undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
