package io.holdfast.spring;

import java.lang.reflect.Method;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** A method with {@link LeaderOnly}, parsed and checked. */
record LeaderOnlyOperation(String where, String name, String client, MethodShape shape) {

  /**
   * Parses the annotation of a method.
   *
   * @throws IllegalStateException when a value or the signature of the method does not fit
   */
  static LeaderOnlyOperation of(Method called, Class<?> target, HoldfastClients clients) {
    Method method = MethodNames.declared(called, target);
    LeaderOnly only = AnnotatedElementUtils.findMergedAnnotation(method, LeaderOnly.class);
    String where = MethodNames.where(LeaderOnly.class, method);
    if (only == null) {
      throw new IllegalStateException(where + " is missing");
    }
    MethodShape shape = MethodShape.of(method, where);
    TokenParameter.requireNone(method, where);
    if (shape.kind() != ReturnKind.BLOCKING || !shape.canBeSkipped()) {
      throw new IllegalStateException(
          where
              + ": the method must return void or Optional, because it is skipped where another"
              + " process leads; it returns "
              + method.getReturnType().getName());
    }
    NameTemplate name =
        new NameTemplate(clients.resolve(only.name(), where + ", name"), method, where);
    if (name.hasSlots()) {
      throw new IllegalStateException(
          where + ": the name of an election has no slots, because it stands from the start on");
    }
    return new LeaderOnlyOperation(where, name.tag(), only.client(), shape);
  }
}
