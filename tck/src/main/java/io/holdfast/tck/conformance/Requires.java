package io.holdfast.tck.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The capabilities that a test requires; without them, the refusal is tested instead. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Requires {

  Capability[] value();
}
