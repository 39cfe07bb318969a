package io.holdfast.cli.commands.run;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A signal that asks to end. Java can receive signals only by {@code sun.misc.Signal}, which is
 * looked up by name because the compiler warns of every use and that warning cannot be suppressed.
 */
enum TerminationSignal {
  /** Ctrl-C. */
  INT(2),
  /** Please end. */
  TERM(15),
  /** The terminal is gone. */
  HUP(1);

  private final int number;

  TerminationSignal(int number) {
    this.number = number;
  }

  /** The same on all systems that have signals. */
  int number() {
    return number;
  }

  /** From now on this is done when it arrives, unless it is ignored, as by nohup. */
  void onArrival(Runnable action) {
    try {
      Class<?> type = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object ours =
          Proxy.newProxyInstance(
              TerminationSignal.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> answer(self, method, arguments, action));
      Object signal = type.getConstructor(String.class).newInstance(name());
      type.getMethod("handle", type, handler).invoke(null, signal, ours);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Java cannot handle the signal " + this, e);
    }
  }

  private static @Nullable Object answer(
      Object self, Method method, Object @Nullable [] arguments, Runnable action) {
    return switch (method.getName()) {
      case "hashCode" -> System.identityHashCode(self);
      case "equals" -> arguments != null && self == arguments[0];
      case "toString" -> "a handler of signals";
      default -> {
        action.run();
        yield null;
      }
    };
  }
}
