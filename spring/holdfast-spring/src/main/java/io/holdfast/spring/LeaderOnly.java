package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs the method where this process leads; elsewhere the call is skipped.
 *
 * <pre>{@code
 * @Scheduled(fixedDelay = 1000)
 * @LeaderOnly("outbox")
 * void forward() { … }
 * }</pre>
 *
 * <p>The process stands for election when the context starts and resigns first of all when it
 * stops; a run in progress keeps its hold to its end. The method must return void or {@code
 * Optional}, which is empty where another process leads.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface LeaderOnly {

  /** Alias of {@link #name()}. */
  @AliasFor("name")
  String value() default "";

  /** The name of the election: text and {@code ${properties}}, without slots. */
  @AliasFor("value")
  String name() default "";

  /** The bean name or qualifier of the client, where there are several. */
  String client() default "";
}
