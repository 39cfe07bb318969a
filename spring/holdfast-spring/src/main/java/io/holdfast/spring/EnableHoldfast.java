package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;

/**
 * Switches {@link Locked}, {@link RunOnce} and {@link LeaderOnly} on, for programs without Spring
 * Boot. Goes on a configuration class; the program defines a bean of type {@link
 * io.holdfast.Holdfast}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(HoldfastConfiguration.class)
public @interface EnableHoldfast {}
