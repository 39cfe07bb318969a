package io.holdfast.jdbc.table.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The term of a ticket")
class LeaseEndTest {

  @Test
  @DisplayName("is that of the lease if nothing was promised before")
  void fresh() {
    assertThat(new LeaseEnd(0, 0).renewed(1000, 60)).isEqualTo(new LeaseEnd(60, 1060));
  }

  @Test
  @DisplayName("ends later after a renewal, or when it did")
  void neverNearer() {
    LeaseEnd first = new LeaseEnd(60, 1060);
    assertThat(first.renewed(1005, 2)).isEqualTo(first);
    assertThat(first.renewed(1005, 2).renewed(1006, 54)).isEqualTo(new LeaseEnd(54, 1060));
    assertThat(first.renewed(1020, 50)).isEqualTo(new LeaseEnd(50, 1070));
  }

  @Test
  @DisplayName("is not longer than was promised when the clock goes back")
  void clockBack() {
    LeaseEnd first = new LeaseEnd(60, 1060);
    assertThat(first.renewed(500, 60)).isEqualTo(new LeaseEnd(60, 560));
    assertThat(first.renewed(500, 2)).isEqualTo(new LeaseEnd(60, 560));
  }
}
