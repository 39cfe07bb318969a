package io.holdfast.spring;

import io.holdfast.Hold;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodClassKey;

/** The advice of {@link LeaderOnly}. */
final class LeaderOnlyInterceptor implements MethodInterceptor {

  private final HoldfastClients clients;
  private final Leaders leaders;
  private final Map<MethodClassKey, LeaderOnlyOperation> operations = new ConcurrentHashMap<>();

  LeaderOnlyInterceptor(HoldfastClients clients, Leaders leaders) {
    this.clients = clients;
    this.leaders = leaders;
  }

  /** Returns the parsed annotation of a method; throws when something is wrong with it. */
  LeaderOnlyOperation operation(Method method, Class<?> target) {
    MethodClassKey key = new MethodClassKey(method, target);
    LeaderOnlyOperation known = operations.get(key);
    if (known == null) {
      known = LeaderOnlyOperation.of(method, target, clients);
      operations.put(key, known);
    }
    return known;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation call) throws Throwable {
    Class<?> target = Objects.requireNonNull(call.getThis(), "target").getClass();
    LeaderOnlyOperation operation = operation(call.getMethod(), target);
    Leaders.Standing standing = leaders.standing(operation);
    Hold hold = standing == null ? null : standing.begin();
    if (standing == null || hold == null) {
      return operation.shape().skipped();
    }
    try {
      HeldLock held = new HeldLock(standing.client(), operation.name(), null, hold, null);
      Object returned = HoldChain.with(List.of(held), call::proceed);
      hold.ensureHeld();
      return returned;
    } finally {
      standing.end();
    }
  }
}
