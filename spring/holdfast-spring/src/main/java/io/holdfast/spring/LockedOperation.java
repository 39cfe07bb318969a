package io.holdfast.spring;

import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.StringUtils;

/**
 * A method with {@link Locked}, parsed and checked.
 *
 * @param where the annotation and its method, for messages
 * @param fencedBy the transaction manager that claims the fence; empty for the default one, null
 *     without a fence
 */
record LockedOperation(
    String where,
    NameTemplate name,
    Duration waitFor,
    OnBusy onBusy,
    LockSide side,
    String client,
    @Nullable String fencedBy,
    MethodShape shape,
    TokenParameter token) {

  /**
   * Parses the annotation of a method.
   *
   * @throws IllegalStateException when a value or the signature of the method does not fit
   */
  static LockedOperation of(
      Method called, Class<?> target, HoldfastClients clients, LockedSettings settings) {
    Method method = MethodNames.declared(called, target);
    Locked locked = AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
    String where = MethodNames.where(Locked.class, method);
    if (locked == null) {
      throw new IllegalStateException(where + " is missing");
    }
    MethodShape shape = MethodShape.of(method, where);
    if (locked.onBusy() == OnBusy.SKIP && !shape.canBeSkipped()) {
      throw new IllegalStateException(
          where
              + ": onBusy = SKIP needs a method that returns void, Optional, a future or a"
              + " publisher, so that callers see it; it returns "
              + method.getReturnType().getName());
    }
    boolean named = StringUtils.hasText(locked.transactionManager());
    if (locked.fence() && shape.kind() != ReturnKind.BLOCKING) {
      throw new IllegalStateException(
          where + ": fence = true needs a method that runs its transactions on the calling thread");
    }
    if (named && !locked.fence()) {
      throw new IllegalStateException(where + ": transactionManager is for fence = true");
    }
    String waitFor = clients.resolve(locked.waitFor(), where + ", waitFor");
    return new LockedOperation(
        where,
        new NameTemplate(clients.resolve(locked.name(), where + ", name"), method, where),
        StringUtils.hasText(waitFor)
            ? Durations.parse(waitFor, where + ", waitFor")
            : settings.waitFor(),
        locked.onBusy(),
        locked.side(),
        locked.client(),
        locked.fence() ? locked.transactionManager() : null,
        shape,
        new TokenParameter(method, where));
  }
}
