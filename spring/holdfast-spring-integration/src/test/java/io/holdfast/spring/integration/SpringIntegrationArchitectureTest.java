package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.rules.EngineArchitecture;
import io.holdfast.rig.rules.SourceRules;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of the house: the API of core and Spring, nothing else. */
class SpringIntegrationArchitectureTest {

  private static final EngineArchitecture HOUSE = EngineArchitecture.of(HoldfastLockRegistry.class);

  @Test
  void it_knows_the_api_and_spring_alone() {
    List<String> others =
        EngineArchitecture.descriptions(
            HOUSE
                .dependencies(type -> true)
                .filter(
                    dependency ->
                        !EngineArchitecture.target(dependency)
                            .matches(
                                "java\\..*|[a-z]+|org\\.jspecify\\..*"
                                    + "|org\\.springframework\\.(dao|util|scheduling)\\..*"
                                    + "|org\\.springframework\\.integration\\.support\\.locks\\..*"
                                    + "|io\\.holdfast\\.(spring\\.integration\\.|spi\\.)?[A-Z].*")));
    assertThat(others).isEmpty();
  }

  @Test
  void the_registry_is_the_only_public_type() {
    assertThat(HOUSE.publicTypes()).containsExactly(HoldfastLockRegistry.class);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SourceRules.ofThisModule().undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
