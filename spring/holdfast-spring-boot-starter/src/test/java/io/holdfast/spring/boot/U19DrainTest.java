package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastClosedException;
import io.holdfast.Loss;
import io.holdfast.Outcome;
import io.holdfast.rig.time.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** U19, rule 12: what {@code holdfast.shutdown} does with holds that are left. */
@Timeout(60)
class U19DrainTest {

  private static final Duration BOUND = Duration.ofSeconds(10);

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class App {}

  private static ConfigurableApplicationContext application(String... arguments) {
    return new SpringApplicationBuilder(App.class)
        .properties(
            "spring.main.web-application-type=none",
            "spring.main.banner-mode=off",
            "spring.datasource.url=jdbc:h2:mem:drain",
            "holdfast.url=memory:")
        .run(arguments);
  }

  @Test
  void aHoldThatEndsWhileTheClientDrainsIsReleased() throws Exception {
    ConfigurableApplicationContext context = application("--holdfast.shutdown.drain=40s");
    Holdfast holdfast = context.getBean(Holdfast.class);
    Hold hold = holdfast.lock("x").acquire(BOUND);
    FutureTask<Void> closing = new FutureTask<>(context::close, null);
    new Thread(closing, "closing").start();
    Await.until("draining", BOUND, () -> holdfast.stats().draining());
    assertThat(hold.isHeld()).isTrue();
    assertThatThrownBy(() -> holdfast.lock("y").acquire(BOUND))
        .as("nothing new is acquired")
        .isInstanceOf(HoldfastClosedException.class);
    assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    closing.get(10, TimeUnit.SECONDS);
    assertThat(hold.loss()).isEmpty();
  }

  @Test
  void whatIsLeftAfterwardsIsLostAndItsHolderIsTold() throws Exception {
    ConfigurableApplicationContext context = application("--holdfast.shutdown.drain=0s");
    Hold hold = context.getBean(Holdfast.class).lock("x").acquire(BOUND);
    context.close();
    assertThat(hold.loss()).map(Loss::cause).contains(Loss.Cause.CLOSED);
    assertThat(hold.release()).isEqualTo(Outcome.ALREADY_RELEASED);
  }

  /** Callbacks may finish while the stores of the application are still open. */
  @Test
  void graceIsHowLongCallbacksMayTake() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch began = new CountDownLatch(1);
    FutureTask<Void> patient = closing("30s", began, end);
    assertThat(began.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(patient.isDone()).as("closed before its callback had ended").isFalse();
    end.countDown();
    patient.get(10, TimeUnit.SECONDS);

    CountDownLatch never = new CountDownLatch(1);
    closing("10ms", new CountDownLatch(1), never).get(10, TimeUnit.SECONDS);
    never.countDown();
  }

  private static FutureTask<Void> closing(String grace, CountDownLatch began, CountDownLatch end)
      throws Exception {
    ConfigurableApplicationContext context =
        application("--holdfast.shutdown.drain=0s", "--holdfast.shutdown.grace=" + grace);
    Hold hold = context.getBean(Holdfast.class).lock("x").acquire(BOUND);
    hold.onLoss(
        loss -> {
          began.countDown();
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    FutureTask<Void> closing = new FutureTask<>(context::close, null);
    new Thread(closing, "closing").start();
    return closing;
  }
}
