package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the parameter that receives the fencing token; the caller's argument is ignored.
 *
 * <p>A {@code long} when one name is locked; a {@code Map<String, Long>} from name to token when
 * there may be several, because tokens of different names do not compare. Only for {@link Locked};
 * in other methods {@link Holds} has the token.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Token {}
