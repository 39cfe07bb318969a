package io.holdfast.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;

/** How messages call an annotated method. */
final class MethodNames {

  private MethodNames() {}

  /** Returns {@code @Locked on com.example.Orders.pay}. */
  static String where(Class<? extends Annotation> annotation, Method method) {
    return "@"
        + annotation.getSimpleName()
        + " on "
        + method.getDeclaringClass().getName()
        + "."
        + method.getName();
  }
}
