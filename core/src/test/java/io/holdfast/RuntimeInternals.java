package io.holdfast;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.primitive.ThreadHolds;
import java.lang.reflect.Field;
import java.util.Map;

/** Reads private fields of the runtime, to check that nothing stays behind in them. */
final class RuntimeInternals {

  private RuntimeInternals() {}

  static Client client(Holdfast holdfast) {
    return (Client) field(Holdfast.class, "client", holdfast);
  }

  static Map<?, ?> threadHolds(Client client) {
    return (Map<?, ?>) field(ThreadHolds.class, "held", client.threadHolds());
  }

  /** Includes lines without a ticket, which no inspector shows. */
  static Map<?, ?> linesInStore(MemoryEngine engine) {
    Object store = field(MemoryEngine.class, "store", engine);
    return (Map<?, ?>) field(store.getClass(), "lines", store);
  }

  private static Object field(Class<?> type, String name, Object of) {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(of);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no field " + name + " in " + type, e);
    }
  }
}
