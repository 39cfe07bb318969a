package io.holdfast.spring.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.test.context.TestPropertySource;

/**
 * Adds Holdfast to a test of a slice of the application, with a store in memory.
 *
 * <p>A slice such as {@code @WebMvcTest} leaves Holdfast out, so that annotated methods run
 * unguarded and {@link io.holdfast.spring.Holds#require()} fails. With this annotation they are
 * guarded. On {@code @SpringBootTest} it replaces the store by one in memory.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@TestPropertySource(properties = "holdfast.url=memory:")
public @interface AutoConfigureHoldfast {}
