package io.holdfast.tck.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test that runs once for each {@link MutexKind} that is a lock. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@TestTemplate
@ExtendWith(MutexKindProvider.class)
@interface EveryMutexKind {

  /** Whether only FIFO kinds are tested. */
  boolean ordered() default false;

  /** Whether {@link MutexKind#ONCE}, which is not a lock, is tested too. */
  boolean once() default false;
}
