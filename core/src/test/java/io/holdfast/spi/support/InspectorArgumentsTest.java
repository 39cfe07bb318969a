package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InspectorArgumentsTest {

  private static final Resource RESOURCE = new Resource("shop", "orders/42");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, EngineInspector.MAX_PAGE})
  void a_page_has_a_limit_within_bounds(int limit) {
    InspectorArguments.requirePage("shop", limit);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, EngineInspector.MAX_PAGE + 1, Integer.MAX_VALUE})
  void a_limit_out_of_bounds_is_named_with_its_rule(int limit) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InspectorArguments.requirePage("shop", limit))
        .withMessage("limit must be 1..1000: limit=" + limit);
  }

  @Test
  void a_page_is_of_a_namespace_that_is_well_formed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InspectorArguments.requirePage("a:b", 1))
        .withMessageContaining("namespace")
        .withMessageContaining("a:b");
  }

  @Test
  void any_other_reason_is_accepted() {
    InspectorArguments.requireReason(RESOURCE, " stuck ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\t\n"})
  void a_blank_reason_is_refused(String reason) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InspectorArguments.requireReason(RESOURCE, reason))
        .withMessage(
            "a reason must not be blank, because the holder sees it: state one for " + RESOURCE);
  }
}
