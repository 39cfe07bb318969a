package io.holdfast.tck;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test that runs once with each {@link Dress} that programs can lock. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(Dresses.class)
@interface EveryMutex {

  /** Only those that keep an order. */
  boolean ordered() default false;

  /** Also {@link Dress#ONCE}, which is no lock. */
  boolean once() default false;
}
