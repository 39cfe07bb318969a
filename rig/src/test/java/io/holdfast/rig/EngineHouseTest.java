package io.holdfast.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules that engines keep are rules that can be broken. */
class EngineHouseTest {

  /** This module is none of an engine, so it breaks what an engine must not. */
  private static final EngineHouse HOUSE = EngineHouse.of(EngineHouse.class);

  @Test
  void what_knows_more_than_the_spi_is_found() {
    assertThat(HOUSE.knowsMoreThanTheSpi())
        .anySatisfy(line -> assertThat(line).contains("TracedHold").contains("io.holdfast.Hold"));
  }

  @Test
  void an_arrow_out_is_found_unless_it_may_be() {
    assertThat(HOUSE.arrowsOut("", "\\.Fault.*"))
        .anySatisfy(line -> assertThat(line).contains("RedisServer"));
    assertThat(HOUSE.arrowsOut("", ".*")).isEmpty();
  }

  @Test
  void public_types_are_listed_without_the_others() {
    assertThat(HOUSE.publicTypes()).contains(EngineHouse.class, Figure.class);
    assertThat(HOUSE.publicTypes()).doesNotContain(ProxyLoop.class);
    assertThat(HOUSE.open()).isEmpty();
  }

  @Test
  void an_undocumented_type_is_found(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("io/holdfast/rig/Figure.java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "public final class Figure {}\n");
    SourceRules rules = SourceRules.in(folder);
    assertThat(rules.undocumented(List.of(Figure.class))).containsExactly(Figure.class.getName());
    Files.writeString(file, "/** Words. */\npublic final class Figure {}\n");
    assertThat(rules.undocumented(List.of(Figure.class))).isEmpty();
  }
}
