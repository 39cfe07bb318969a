package io.holdfast.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;

/**
 * What the signature of an annotated method allows.
 *
 * @param adapter converts the publisher that the method returns; null for other kinds
 * @param optional whether the method returns an {@code Optional}, directly or in a future
 */
record MethodShape(
    Method method, ReturnKind kind, @Nullable ReactiveAdapter adapter, boolean optional) {

  /**
   * Reads the signature.
   *
   * @param where the annotation and its method, for messages
   * @throws IllegalStateException when a proxy cannot intercept it, or nobody can see where it ends
   */
  static MethodShape of(Method method, String where) {
    requireInterceptable(method, where);
    if (KotlinDetector.isSuspendingFunction(method)) {
      throw new IllegalStateException(
          where + " is a suspending function, whose end cannot be seen; use the API of Holdfast");
    }
    Class<?> type = method.getReturnType();
    if (type == CompletableFuture.class || type == CompletionStage.class) {
      Class<?> content = ResolvableType.forMethodReturnType(method).getGeneric().toClass();
      return new MethodShape(method, ReturnKind.FUTURE, null, content == Optional.class);
    }
    if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)) {
      throw new IllegalStateException(
          where
              + " returns "
              + type.getName()
              + ", whose end cannot be seen; return CompletableFuture or CompletionStage");
    }
    ReactiveAdapterRegistry adapters = ReactiveAdapterRegistry.getSharedInstance();
    ReactiveAdapter adapter = adapters.hasAdapters() ? adapters.getAdapter(type) : null;
    return adapter == null
        ? new MethodShape(method, ReturnKind.BLOCKING, null, type == Optional.class)
        : new MethodShape(method, ReturnKind.PUBLISHER, adapter, false);
  }

  private static void requireInterceptable(Method method, String where) {
    int modifiers = method.getModifiers();
    int wrong = modifiers & (Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL);
    if (wrong != 0) {
      throw new IllegalStateException(
          where + " has no effect: the method is " + Modifier.toString(wrong));
    }
  }

  /** Returns whether the caller can see that the method was skipped. */
  boolean canBeSkipped() {
    Class<?> type = method.getReturnType();
    return kind != ReturnKind.BLOCKING || optional || type == void.class || type == Void.class;
  }

  /** Returns what a caller gets when the method was skipped. */
  @Nullable Object skipped() {
    return optional ? Optional.empty() : null;
  }
}
