package io.holdfast.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.springframework.aop.support.AopUtils;

/** How messages call an annotated method. */
final class MethodNames {

  private MethodNames() {}

  /**
   * Returns the method that has the annotations and the names of the arguments of a called one. The
   * methods of a JDK proxy, such as that of a repository, have neither: those of its interface do.
   */
  static Method declared(Method called, Class<?> target) {
    return Proxy.isProxyClass(target) ? called : AopUtils.getMostSpecificMethod(called, target);
  }

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
