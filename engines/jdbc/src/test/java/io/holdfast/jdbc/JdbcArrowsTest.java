package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.rules.EngineArchitecture;
import io.holdfast.rig.rules.SourceRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of the house: which room may use which, and what is documented. */
class JdbcArrowsTest {

  private static final EngineArchitecture HOUSE = EngineArchitecture.of(JdbcEngine.class);
  private static final SourceRules SOURCES = SourceRules.ofThisModule();

  @ParameterizedTest(name = "{0} uses {1}")
  @CsvSource(
      delimiter = '>',
      value = {
        ".dialect > dialect",
        ".connection > connection|dialect",
        ".counter > counter|connection|dialect",
        ".guard > guard|connection|dialect",
        ".connectionlocks > connectionlocks|counter|connection|dialect",
        ".table.layout > table\\.layout|connection|dialect",
        ".table.signals > table\\.(signals|layout)|connection|dialect",
        ".table.verbs > table\\.(verbs|signals|layout)|connection|dialect",
        ".table.admin > table\\.(admin|layout)|connection|dialect",
        ".table > table(\\.\\w+)?|counter|connection|dialect",
      })
  void rooms_use_the_rooms_below_them_and_never_the_root(String room, String others) {
    assertThat(HOUSE.dependencies(type -> HOUSE.isOf(type, room))).isNotEmpty();
    assertThat(HOUSE.arrowsOut(room, "\\.(" + others + ")\\.\\w+(\\$.*)?")).isEmpty();
  }

  @Test
  void only_guards_use_more_of_the_core_than_its_spi() {
    assertThat(HOUSE.knowsMoreThanTheSpi())
        .allSatisfy(line -> assertThat(line).contains("<io.holdfast.jdbc.guard."));
  }

  @Test
  void only_the_pooler_check_and_the_listener_need_a_driver() {
    assertThat(
            HOUSE
                .dependencies(type -> true)
                .filter(
                    dependency ->
                        EngineArchitecture.target(dependency)
                            .matches("org\\.(postgresql|mariadb|h2|sqlite).*"))
                .map(
                    dependency ->
                        EngineArchitecture.top(dependency.getOriginClass()).getSimpleName())
                .distinct())
        .containsExactlyInAnyOrder("PgDriver", "PgListener");
  }

  @Test
  void public_types_cannot_be_extended_and_are_documented() {
    assertThat(HOUSE.publicTypes()).hasSizeGreaterThan(10);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SOURCES.undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
