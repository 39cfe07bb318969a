package io.holdfast.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.rules.EngineArchitecture;
import io.holdfast.rig.rules.SourceRules;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rules of the house: the API of core and of ShedLock, nothing else. */
class ShedLockArchitectureTest {

  private static final EngineArchitecture HOUSE = EngineArchitecture.of(HoldfastLockProvider.class);

  @Test
  void it_knows_the_api_and_shedlock_alone() {
    List<String> others =
        EngineArchitecture.descriptions(
            HOUSE
                .dependencies(type -> true)
                .filter(
                    dependency ->
                        !EngineArchitecture.target(dependency)
                            .matches(
                                "java\\..*|[a-z]+|org\\.jspecify\\..*"
                                    + "|net\\.javacrumbs\\.shedlock\\.(core|support)\\..*"
                                    + "|io\\.holdfast\\.(shedlock\\.|spi\\.)?[A-Z].*")));
    assertThat(others).isEmpty();
  }

  @Test
  void the_provider_is_the_only_public_type() {
    assertThat(HOUSE.publicTypes()).containsExactly(HoldfastLockProvider.class);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SourceRules.ofThisModule().undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
