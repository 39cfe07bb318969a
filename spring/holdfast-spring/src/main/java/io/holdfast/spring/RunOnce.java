package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the method on one of many machines in each period. For {@code @Scheduled} methods, and for
 * any other.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 * * * *")
 * @RunOnce(name = "hourly-report")
 * void send() { … }
 * }</pre>
 *
 * <p>A run that succeeds marks the period as done in the store, even if its process ends right
 * after. A run that throws leaves no mark: another machine may run. The method must return void, or
 * a {@code CompletionStage}, whose end is the end of the run.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface RunOnce {

  /** The name, as in {@link Locked#name()}, but always one. */
  String name();

  /**
   * The period, at least one second. Empty: the shortest time between two ticks of
   * {@code @Scheduled(cron = …)}, or its fixed rate. Required with {@code fixedDelay}, which is no
   * period.
   */
  String every() default "";

  /**
   * How long to wait for the run of another machine, to take over if it fails. Empty: not at all.
   */
  String waitFor() default "";

  /** After which time a run that hangs loses its hold. Empty: never. */
  String atMost() default "";

  /** The bean name or qualifier of the client, where there are several. */
  String client() default "";
}
