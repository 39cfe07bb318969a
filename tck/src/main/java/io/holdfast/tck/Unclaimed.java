package io.holdfast.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what is claimed and what is not")
interface Unclaimed {

  @Test
  default void every_shape_is_served_or_refused_as_the_traits_say(Stage stage) throws Exception {
    Actor actor = stage.actor();
    for (Shape shape : Rule09OneShape.SHAPES) {
      if (stage.traits().serves(shape)) {
        actor.in(actor.ticket(stage.resource("served as " + shape), shape));
      } else {
        Refusal.check(stage, shape);
      }
    }
  }

  @Test
  default void a_guarantee_that_is_not_given_is_refused_at_the_start(Stage stage) throws Exception {
    Holdfast holdfast = stage.caller().holdfast();
    for (Guarantee guarantee : Guarantee.values()) {
      if (stage.traits().guarantees().contains(guarantee)) {
        assertThat(holdfast.require(guarantee)).isSameAs(holdfast);
      } else {
        assertThatThrownBy(() -> holdfast.require(guarantee))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining(guarantee.name());
      }
    }
  }

  @Test
  default void the_traits_do_not_contradict_themselves(Stage stage) throws Exception {
    EngineTraits traits = stage.traits();
    assertThat(stage.actor().engine().traits()).isEqualTo(traits);
    assertThat(traits.store()).isNotBlank();
    assertThat(traits.guarantees()).contains(Guarantee.FENCING);
    assertThat(traits.guarantees().contains(Guarantee.FIFO))
        .isEqualTo(traits.orders().contains(Order.FIFO));
    assertThat(traits.guarantees().contains(Guarantee.SHARED))
        .isEqualTo(
            traits.kinds().contains(Shape.Kind.SEMAPHORE)
                && traits.kinds().contains(Shape.Kind.READ_WRITE));
  }
}
