package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.LockRefusedException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("traits")
interface TraitsChapter {

  @Test
  default void every_shape_is_served_or_refused_as_the_traits_say(KitFixture fixture)
      throws Exception {
    VerbClient client = fixture.verbClient();
    for (Shape shape : Rule09OneShape.SHAPES) {
      if (fixture.traits().serves(shape)) {
        client.expectGranted(client.ticket(fixture.resource("served as " + shape), shape));
      } else {
        RefusalCheck.check(fixture, shape);
      }
    }
  }

  @Test
  default void a_missing_guarantee_is_refused_at_the_start(KitFixture fixture) throws Exception {
    Holdfast holdfast = fixture.apiClient().holdfast();
    for (Guarantee guarantee : Guarantee.values()) {
      if (fixture.guarantees().contains(guarantee)) {
        assertThat(holdfast.require(guarantee)).isSameAs(holdfast);
      } else {
        assertThatThrownBy(() -> holdfast.require(guarantee))
            .isInstanceOf(LockRefusedException.class)
            .hasMessageContaining(guarantee.name());
      }
    }
  }

  @Test
  default void the_traits_are_consistent(KitFixture fixture) throws Exception {
    EngineTraits traits = fixture.traits();
    assertThat(fixture.verbClient().engine().traits()).isEqualTo(traits);
    assertThat(traits.store()).isNotBlank();
    Set<Guarantee> guarantees = fixture.guarantees();
    assertThat(guarantees).containsAll(traits.guarantees());
    assertThat(guarantees).contains(Guarantee.FENCING);
    assertThat(guarantees.contains(Guarantee.FIFO)).isEqualTo(traits.orders().contains(Order.FIFO));
    assertThat(guarantees.contains(Guarantee.SHARED))
        .isEqualTo(
            traits.kinds().contains(Shape.Kind.SEMAPHORE)
                && traits.kinds().contains(Shape.Kind.READ_WRITE));
  }
}
