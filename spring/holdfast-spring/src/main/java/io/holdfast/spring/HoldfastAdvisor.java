package io.holdfast.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;

/** Applies advice to the methods with one annotation. */
final class HoldfastAdvisor extends StaticMethodMatcherPointcutAdvisor {

  private static final long serialVersionUID = 1L;

  private final Class<? extends Annotation> annotation;

  HoldfastAdvisor(Class<? extends Annotation> annotation, Advice advice, int order) {
    super(advice);
    this.annotation = annotation;
    setOrder(order);
    setClassFilter(new Candidates(annotation));
  }

  Class<? extends Annotation> annotation() {
    return annotation;
  }

  @Override
  public boolean matches(Method method, Class<?> target) {
    return AnnotatedElementUtils.hasAnnotation(
        AopUtils.getMostSpecificMethod(method, target), annotation);
  }

  /** Skips classes of the JDK and of Spring, which cannot have the annotation. */
  private record Candidates(Class<? extends Annotation> annotation) implements ClassFilter {
    @Override
    public boolean matches(Class<?> type) {
      return AnnotationUtils.isCandidateClass(type, annotation);
    }
  }
}
