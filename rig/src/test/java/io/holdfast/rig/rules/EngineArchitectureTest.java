package io.holdfast.rig.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.history.TracedHold;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.time.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules that engines keep are rules that can be broken. */
class EngineArchitectureTest {

  /** The packages of this module are no engine, so they break what an engine must not. */
  private static final EngineArchitecture HOUSE = EngineArchitecture.of(FaultProxy.class);

  @Test
  void what_knows_more_than_the_spi_is_found() {
    assertThat(EngineArchitecture.of(TracedHold.class).knowsMoreThanTheSpi())
        .anySatisfy(line -> assertThat(line).contains("TracedHold").contains("io.holdfast.Hold"));
  }

  @Test
  void an_arrow_out_is_found_unless_it_may_be() {
    assertThat(HOUSE.arrowsOut("", "\\.Fault.*"))
        .anySatisfy(line -> assertThat(line).contains("ProxyLoop"));
    assertThat(HOUSE.arrowsOut("", ".*")).isEmpty();
  }

  @Test
  void public_types_are_listed_without_the_others() throws ClassNotFoundException {
    assertThat(HOUSE.publicTypes()).contains(FaultProxy.class, Direction.class);
    assertThat(HOUSE.publicTypes())
        .doesNotContain(Class.forName("io.holdfast.rig.proxy.ProxyLoop"));
    assertThat(HOUSE.open()).isEmpty();
  }

  @Test
  void an_undocumented_type_is_found(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("io/holdfast/rig/time/Figure.java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "public final class Figure {}\n");
    SourceRules rules = SourceRules.in(folder);
    assertThat(rules.undocumented(List.of(Figure.class))).containsExactly(Figure.class.getName());
    Files.writeString(file, "/** Words. */\npublic final class Figure {}\n");
    assertThat(rules.undocumented(List.of(Figure.class))).isEmpty();
  }
}
