package io.holdfast.ids;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.rules.EngineArchitecture;
import io.holdfast.rig.rules.SourceRules;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of the house: who depends on whom and what is documented. */
class IdsArchitectureTest {

  private static final EngineArchitecture HOUSE = EngineArchitecture.of(Ids.class);
  private static final SourceRules SOURCES = SourceRules.ofThisModule();

  @Test
  void ids_know_the_core_and_no_engine() {
    List<String> others =
        EngineArchitecture.descriptions(
            HOUSE
                .dependencies(type -> true)
                .filter(
                    dependency ->
                        EngineArchitecture.target(dependency)
                            .matches(
                                "io\\.holdfast\\.(memory|redis|jdbc|zookeeper|etcd|tck|rig)\\..*")));
    assertThat(others).isEmpty();
  }

  @Test
  void public_types_are_few_cannot_be_extended_and_are_documented() {
    assertThat(HOUSE.publicTypes())
        .filteredOn(type -> !type.getPackageName().endsWith(".internal"))
        .hasSizeBetween(10, 20);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SOURCES.undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
