package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockRefusedException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.EngineException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GuardStepsTest {

  private final AtomicInteger runs = new AtomicInteger();

  private void check(Exception failure) {
    GuardSteps.check("orders", () -> fail(failure));
  }

  private void write(Exception failure) {
    GuardSteps.write("orders", () -> fail(failure));
  }

  private Object fail(Exception failure) throws EngineException {
    runs.incrementAndGet();
    if (failure instanceof EngineException engines) {
      throw engines;
    }
    throw (RuntimeException) failure;
  }

  @Test
  void what_the_step_returned_is_returned() {
    GuardSteps.check("orders", runs::incrementAndGet);
    String written = GuardSteps.write("orders", () -> "done " + runs.incrementAndGet());
    assertThat(written).isEqualTo("done 2");
  }

  @Test
  void a_refusal_is_a_refusal() {
    EngineException why = new EngineException.Refused("no rights");
    assertThatThrownBy(() -> check(why))
        .isInstanceOf(LockRefusedException.class)
        .hasMessage("the guard of orders refused: no rights")
        .hasCause(why);
    assertThatThrownBy(() -> write(why))
        .isInstanceOf(LockRefusedException.class)
        .hasMessage("the guard of orders refused: no rights")
        .hasCause(why);
  }

  @Test
  void a_check_that_failed_is_unavailable_whether_it_was_executed_or_not() {
    for (EngineException why :
        new EngineException[] {
          new EngineException.NotDone("refused", null), new EngineException.Unknown("silent", null)
        }) {
      assertThatThrownBy(() -> check(why))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage("the guard of orders got no reply: " + why.getMessage() + "; write nothing")
          .hasCause(why);
    }
  }

  @Test
  void a_write_that_may_have_been_executed_is_unknown_and_not_repeated() {
    assertThatThrownBy(() -> write(new EngineException.NotDone("refused", null)))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage("the guard of orders got no reply: refused; nothing was written");
    assertThatThrownBy(() -> write(new EngineException.Unknown("silent", null)))
        .isInstanceOf(OutcomeUnknownException.class)
        .hasMessage(
            "the guard of orders got no reply: silent; it may have been written: check before writing"
                + " again");
    assertThat(runs).hasValue(2);
  }

  @Test
  void unchecked_exceptions_pass() {
    RuntimeException stale = new StaleTokenException("orders", 4, 5);
    assertThatThrownBy(() -> check(stale)).isSameAs(stale);
    assertThatThrownBy(() -> write(stale)).isSameAs(stale);
  }

  @Test
  void a_token_is_at_least_one() {
    GuardSteps.requireToken(1);
    GuardSteps.requireToken(Long.MAX_VALUE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GuardSteps.requireToken(0))
        .withMessage("token must be >= 1: token=0");
    assertThatIllegalArgumentException().isThrownBy(() -> GuardSteps.requireToken(-1));
  }
}
