package io.holdfast.spring;

import io.holdfast.Holdfast;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;

/** The advice of {@link Locked}. */
final class LockedInterceptor implements MethodInterceptor {

  private final HoldfastClients clients;
  private final LockedSettings settings;
  private final CallSurroundings surroundings;
  private final Map<MethodClassKey, LockedOperation> operations = new ConcurrentHashMap<>();

  LockedInterceptor(HoldfastClients clients, LockedSettings settings) {
    this.clients = clients;
    this.settings = settings;
    this.surroundings = new CallSurroundings(settings);
  }

  /** Returns the parsed annotation of a method; throws when something is wrong with it. */
  LockedOperation operation(Method method, Class<?> target) {
    MethodClassKey key = new MethodClassKey(method, target);
    LockedOperation known = operations.get(key);
    if (known == null) {
      known = LockedOperation.of(method, target, clients, settings);
      operations.put(key, known);
    }
    return known;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation call) throws Throwable {
    Object target = Objects.requireNonNull(call.getThis(), "target");
    LockedOperation operation = operation(call.getMethod(), target.getClass());
    Holdfast client = clients.client(operation.client());
    List<String> names = operation.name().fill(target, call.getArguments(), clients);
    operation.token().requireFit(names);
    LockedCall locked = new LockedCall(operation, client, names, call);
    return switch (operation.shape().kind()) {
      case BLOCKING -> new BlockingCall(locked, surroundings).run();
      case FUTURE -> {
        surroundings.requireNoTransaction(locked);
        surroundings.giveBackConnections();
        yield new FutureCall(locked).run();
      }
      case PUBLISHER -> {
        surroundings.requireNoTransaction(locked);
        yield PublisherCall.run(locked, surroundings);
      }
    };
  }

  /**
   * A call of a locked method.
   *
   * @param names the names that it locks, without duplicates
   */
  record LockedCall(
      LockedOperation operation, Holdfast client, List<String> names, MethodInvocation call) {

    /**
     * Returns the holds of a chain that this call shares, in the order of its names.
     *
     * @throws io.holdfast.LockLostException when one of them was lost
     */
    List<HeldLock> joined(List<HeldLock> chain) {
      List<HeldLock> joined = new ArrayList<>();
      for (String name : names) {
        HeldLock held = HoldChain.find(chain, client, name, operation.side());
        if (held != null) {
          held.hold().ensureHeld();
          joined.add(held);
        }
      }
      return joined;
    }

    /** Returns the acquire of the names that are not joined. */
    LockAcquire acquire(List<HeldLock> joined) {
      List<String> missing = new ArrayList<>(names);
      joined.forEach(held -> missing.remove(held.name()));
      return new LockAcquire(operation, client, missing);
    }

    /** Returns both in the order of the names of the call. */
    List<HeldLock> ordered(List<HeldLock> joined, List<HeldLock> acquired) {
      List<HeldLock> all = new ArrayList<>(joined);
      all.addAll(acquired);
      all.sort(Comparator.comparingInt(held -> names.indexOf(held.name())));
      return all;
    }
  }
}
