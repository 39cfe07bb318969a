package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.rules.EngineArchitecture;
import io.holdfast.rig.rules.SourceRules;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of the house: the API of core and Micrometer, nothing else. */
class MicrometerArchitectureTest {

  private static final EngineArchitecture HOUSE = EngineArchitecture.of(HoldfastMeters.class);

  @Test
  void it_knows_the_api_and_micrometer_alone() {
    List<String> others =
        EngineArchitecture.descriptions(
            HOUSE
                .dependencies(type -> true)
                .filter(
                    dependency ->
                        !EngineArchitecture.target(dependency)
                            .matches(
                                "java\\..*|[a-z]+|org\\.jspecify\\..*|io\\.micrometer\\.core\\..*"
                                    + "|io\\.micrometer\\.observation\\..*"
                                    + "|io\\.micrometer\\.common\\..*"
                                    + "|io\\.holdfast\\.(micrometer\\.)?[A-Z].*")));
    assertThat(others).isEmpty();
  }

  @Test
  void public_types_are_few_cannot_be_extended_and_are_documented() {
    assertThat(HOUSE.publicTypes())
        .containsExactlyInAnyOrder(HoldfastMeters.class, HoldfastObservations.class);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SourceRules.ofThisModule().undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
