package io.holdfast.spring;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.Once;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.MethodClassKey;

/** The advice of {@link RunOnce}. */
final class RunOnceInterceptor implements MethodInterceptor {

  private static final System.Logger LOG = System.getLogger("io.holdfast.spring");

  private final HoldfastClients clients;
  private final Map<MethodClassKey, RunOnceOperation> operations = new ConcurrentHashMap<>();

  RunOnceInterceptor(HoldfastClients clients) {
    this.clients = clients;
  }

  /** Returns the parsed annotation of a method; throws when something is wrong with it. */
  RunOnceOperation operation(Method method, Class<?> target) {
    MethodClassKey key = new MethodClassKey(method, target);
    RunOnceOperation known = operations.get(key);
    if (known == null) {
      known = RunOnceOperation.of(method, target, clients);
      operations.put(key, known);
    }
    return known;
  }

  @Override
  public @Nullable Object invoke(MethodInvocation call) throws Throwable {
    Object target = Objects.requireNonNull(call.getThis(), "target");
    RunOnceOperation operation = operation(call.getMethod(), target.getClass());
    if (CallSurroundings.isInTransaction()) {
      throw new IllegalStateException(
          operation.where()
              + " does not run: a transaction is active, and the period would be marked as done"
              + " before its commit; call the method outside of transactions");
    }
    List<String> names = operation.name().fill(target, call.getArguments(), clients);
    if (names.size() != 1) {
      throw new IllegalArgumentException(
          operation.where() + " has " + names.size() + " names; a run has one");
    }
    Holdfast client = clients.client(operation.client());
    Duration atMost = operation.atMost();
    Holdfast view =
        (atMost == null ? client : client.with(options -> options.withMaxHold(atMost)))
            .tagged(operation.name().tag());
    Once once = view.once(names.get(0), operation.every());
    return operation.shape().kind() == ReturnKind.FUTURE
        ? runAsync(operation, client, once, call)
        : run(operation, client, once, call);
  }

  private static @Nullable Object run(
      RunOnceOperation operation, Holdfast client, Once once, MethodInvocation call)
      throws Throwable {
    Once.Body<Exception> body =
        hold -> {
          try {
            HoldChain.with(List.of(held(client, hold)), call::proceed);
          } catch (InterruptedException e) {
            throw new OtherThrowable(e); // of the method, not of the wait for it
          } catch (Exception | Error e) {
            throw e;
          } catch (Throwable t) {
            throw new OtherThrowable(t);
          }
        };
    try {
      Duration waitFor = operation.waitFor();
      log(operation, waitFor == null ? once.runNoWait(body) : once.run(waitFor, body));
      return null;
    } catch (OtherThrowable e) {
      throw Objects.requireNonNull(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      CancellationException cancelled =
          new CancellationException(operation.where() + " was interrupted");
      cancelled.initCause(e);
      throw cancelled;
    }
  }

  private static CompletableFuture<@Nullable Object> runAsync(
      RunOnceOperation operation, Holdfast client, Once once, MethodInvocation call) {
    MethodInvocation copy = ((ProxyMethodInvocation) call).invocableClone();
    Duration waitFor = Objects.requireNonNullElse(operation.waitFor(), Duration.ZERO);
    return once.runAsync(
            waitFor,
            hold -> {
              try {
                return (CompletionStage<?>)
                    Objects.requireNonNull(
                        HoldChain.with(List.of(held(client, hold)), copy::proceed),
                        operation.where() + " returned null instead of a stage");
              } catch (Throwable t) {
                return CompletableFuture.failedFuture(t);
              }
            })
        .thenApply(
            result -> {
              log(operation, result);
              return null;
            });
  }

  private static HeldLock held(Holdfast client, Hold hold) {
    return new HeldLock(client, hold.name(), null, hold, null);
  }

  private static void log(RunOnceOperation operation, Once.Result result) {
    LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", operation.where(), result);
  }

  /** Carries what {@link Once} would not pass on as it is. */
  private static final class OtherThrowable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OtherThrowable(Throwable cause) {
      super(cause);
    }
  }
}
