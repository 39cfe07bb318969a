package io.holdfast;

import io.holdfast.memory.MemoryEngine;
import java.lang.reflect.Field;
import java.util.Map;

/** Looks where no accessor leads, for what must not stay behind there. */
final class Peek {

  private Peek() {}

  static Client client(Holdfast holdfast) {
    return (Client) field(Holdfast.class, "client", holdfast);
  }

  static Map<?, ?> threadHolds(Client client) {
    return (Map<?, ?>) field(ThreadHolds.class, "held", client.threadHolds());
  }

  /** Also those that have no ticket, which no inspector shows. */
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
