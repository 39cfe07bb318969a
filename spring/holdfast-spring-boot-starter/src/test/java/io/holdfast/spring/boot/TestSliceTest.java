package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.spring.Holds;
import io.holdfast.spring.Locked;
import io.holdfast.spring.boot.test.AutoConfigureHoldfast;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Rule 15: tests of a slice, with Holdfast and without. */
class TestSliceTest {

  static class Guarded {
    @Locked("x")
    public String name() {
      return Holds.require().name();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @Import(Guarded.class)
  static class App {}

  @Nested
  @SpringJUnitConfig(App.class)
  @AutoConfigureHoldfast
  class WithHoldfast {
    @Autowired Guarded guarded;
    @Autowired Holdfast holdfast;

    @Test
    void methodsAreGuarded() {
      assertThat(guarded.name()).isEqualTo("x");
      assertThat(holdfast.traits().store()).contains("memory");
    }
  }

  @Nested
  @SpringJUnitConfig(App.class)
  class Without {
    @Autowired Guarded guarded;

    @Test
    void requireFails() {
      assertThatThrownBy(guarded::name)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("runs without a lock");
    }
  }
}
