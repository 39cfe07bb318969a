package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SightTest {

  private final Sight sight = new Sight();

  private static String seat(int place) {
    return "t-mf1-1-" + "0".repeat(31) + "1-" + Integer.toHexString(place) + "-" + (1000 + place);
  }

  @Test
  void theFirstIsThatOfTheLastList() {
    assertThat(sight.first()).isEmpty();
    sight.read(List.of(seat(3), seat(1), seat(2)));
    assertThat(sight.first()).contains(seat(1));
    sight.read(List.of(seat(3), seat(2)));
    assertThat(sight.first()).contains(seat(2));
  }

  @Test
  void namesThatAreReadAgainMeanTheSame() {
    List<String> names = List.of(seat(2), seat(1), "z-3-1004", "somebody");
    Roll before = sight.read(names);
    Roll again = sight.read(names);
    assertThat(again.seats()).isEqualTo(before.seats()).isEqualTo(Roll.of(names).seats());
    assertThat(again.resizes()).isEqualTo(Roll.of(names).resizes());
  }
}
