package io.holdfast.jdbc.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that was told to take {@code a} for {@code A}, against what the tables need. */
@Timeout(60)
class IgnoredCaseTest {

  @Test
  void a_name_whose_row_is_another_ones_is_never_granted() throws Exception {
    String url = "jdbc:h2:mem:ignored;DB_CLOSE_DELAY=-1;IGNORECASE=TRUE";
    try (Holdfast mine = Holdfast.connect(url);
        Holdfast theirs = Holdfast.connect(url);
        Hold hold = mine.lock("A").acquire(Duration.ofSeconds(5))) {
      assertThat(hold.isHeld()).isTrue();
      assertThatThrownBy(() -> theirs.lock("a").tryAcquire()).isInstanceOf(HoldfastException.class);
    }
  }

  @Test
  void a_name_that_is_not_granted_leaves_the_row_of_the_other_one_free() throws Exception {
    String url = "jdbc:h2:mem:ignored2;DB_CLOSE_DELAY=-1;IGNORECASE=TRUE";
    try (Holdfast mine = Holdfast.connect(url);
        Holdfast theirs = Holdfast.connect(url)) {
      mine.lock("A").acquire(Duration.ofSeconds(5)).release();
      assertThatThrownBy(() -> theirs.lock("a").tryAcquire()).isInstanceOf(HoldfastException.class);
      assertThat(mine.lock("A").tryAcquire()).isPresent();
    }
  }
}
