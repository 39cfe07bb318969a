package io.holdfast.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Keeps annotated methods in a native image, and the methods of their arguments, which SpEL calls.
 */
final class AnnotatedMethodsAotProcessor implements BeanRegistrationAotProcessor {

  private static final List<Class<? extends Annotation>> ANNOTATIONS =
      List.of(Locked.class, RunOnce.class, LeaderOnly.class);

  @Override
  public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
    Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
    MethodIntrospector.MetadataLookup<Boolean> annotated =
        method -> isAnnotated(method) ? true : null;
    Set<Method> methods = MethodIntrospector.selectMethods(type, annotated).keySet();
    if (methods.isEmpty()) {
      return null;
    }
    return (generation, code) -> {
      ReflectionHints hints = generation.getRuntimeHints().reflection();
      hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS);
      for (Method method : methods) {
        hints.registerMethod(method, ExecutableMode.INVOKE);
        for (Class<?> argument : method.getParameterTypes()) {
          if (!argument.isPrimitive()) {
            hints.registerType(argument, MemberCategory.INVOKE_PUBLIC_METHODS);
          }
        }
      }
    };
  }

  private static boolean isAnnotated(Method method) {
    return ANNOTATIONS.stream()
        .anyMatch(annotation -> AnnotatedElementUtils.hasAnnotation(method, annotation));
  }
}
