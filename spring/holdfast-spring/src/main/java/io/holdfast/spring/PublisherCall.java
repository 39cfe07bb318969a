package io.holdfast.spring;

import io.holdfast.LockLostException;
import io.holdfast.LockTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.util.context.ContextView;

/**
 * Runs a method that returns a publisher: each subscription acquires, and its end releases. Nothing
 * blocks. The method is called on another thread than the subscriber's, where it may block.
 */
final class PublisherCall {

  private static final Object CHAIN = PublisherCall.class;

  private final LockedInterceptor.LockedCall locked;
  private final LockedOperation operation;
  private final CallSurroundings surroundings;
  private final ReactiveAdapter adapter;

  private PublisherCall(LockedInterceptor.LockedCall locked, CallSurroundings surroundings) {
    this.locked = locked;
    this.surroundings = surroundings;
    this.operation = locked.operation();
    this.adapter = Objects.requireNonNull(operation.shape().adapter());
  }

  static Object run(LockedInterceptor.LockedCall locked, CallSurroundings surroundings) {
    PublisherCall call = new PublisherCall(locked, surroundings);
    Publisher<?> publisher =
        call.adapter.isMultiValue()
            ? Flux.deferContextual(call::many)
            : Mono.deferContextual(call::one);
    return call.adapter.fromPublisher(publisher);
  }

  private Flux<Object> many(ContextView context) {
    List<HeldLock> chain = chain(context);
    List<HeldLock> joined = locked.joined(chain);
    if (joined.size() == locked.names().size()) {
      return Flux.from(body(joined));
    }
    AtomicReference<@Nullable LockLostException> loss = new AtomicReference<>();
    Acquiring acquiring = new Acquiring();
    return Flux.usingWhen(
            acquired(joined, acquiring),
            acquired ->
                Flux.from(body(locked.ordered(joined, acquired)))
                    .contextWrite(write -> write.put(CHAIN, added(chain, acquired))),
            acquired -> release(acquired, loss),
            (acquired, failure) -> releaseAfter(acquired, failure),
            acquired -> release(acquired, loss))
        .concatWith(Mono.defer(() -> failure(loss)))
        .doFinally(acquiring::ended);
  }

  private Mono<Object> one(ContextView context) {
    List<HeldLock> chain = chain(context);
    List<HeldLock> joined = locked.joined(chain);
    if (joined.size() == locked.names().size()) {
      return Mono.from(body(joined));
    }
    AtomicReference<@Nullable LockLostException> loss = new AtomicReference<>();
    Acquiring acquiring = new Acquiring();
    return Mono.usingWhen(
            acquired(joined, acquiring),
            acquired ->
                Mono.<Object>from(body(locked.ordered(joined, acquired)))
                    .contextWrite(write -> write.put(CHAIN, added(chain, acquired))),
            acquired -> release(acquired, loss),
            (acquired, failure) -> releaseAfter(acquired, failure),
            acquired -> release(acquired, loss))
        .flatMap(value -> failure(loss).defaultIfEmpty(value))
        .switchIfEmpty(Mono.defer(() -> failure(loss)))
        .doFinally(acquiring::ended);
  }

  private static List<HeldLock> chain(ContextView context) {
    return context.hasKey(CHAIN) ? context.get(CHAIN) : List.of();
  }

  private static List<HeldLock> added(List<HeldLock> chain, List<HeldLock> acquired) {
    List<HeldLock> all = new ArrayList<>(acquired);
    all.addAll(chain);
    return all;
  }

  private Mono<List<HeldLock>> acquired(List<HeldLock> joined, Acquiring acquiring) {
    Mono<List<HeldLock>> acquired =
        Mono.create(
            sink -> {
              surroundings.giveBackConnections();
              CompletableFuture<List<HeldLock>> locksToCome = locked.acquire(joined).acquireAsync();
              acquiring.begins(locksToCome);
              sink.onCancel(() -> locksToCome.cancel(true));
              CallThreads.whenAcquired(
                  locksToCome,
                  (locks, failure) -> {
                    if (failure != null) {
                      sink.error(LockAcquire.cause(failure));
                    } else {
                      sink.success(locks);
                    }
                  });
            });
    if (operation.onBusy() == OnBusy.SKIP) {
      acquired = acquired.onErrorResume(LockTimeoutException.class, busy -> Mono.empty());
    }
    return acquired;
  }

  /**
   * The acquire of one subscription. A subscriber may cancel while the grant is on its way from
   * operator to operator, which drop it then: so it is released here too, which does no harm twice.
   */
  private static final class Acquiring {

    private @Nullable CompletableFuture<List<HeldLock>> locks;
    private boolean cancelled;

    synchronized void begins(CompletableFuture<List<HeldLock>> coming) {
      locks = coming;
      releaseIfCancelled();
    }

    synchronized void ended(SignalType signal) {
      cancelled = signal == SignalType.CANCEL;
      releaseIfCancelled();
    }

    private void releaseIfCancelled() {
      if (cancelled && locks != null) {
        locks.cancel(true);
        var unused = locks.thenAccept(LockAcquire::releaseAll);
      }
    }
  }

  private Publisher<Object> body(List<HeldLock> all) {
    MethodInvocation copy =
        ((ProxyMethodInvocation) locked.call()).invocableClone(arguments(locked.call()));
    try {
      operation.token().set(copy.getArguments(), all);
      Object publisher = HoldChain.with(all, copy::proceed);
      if (publisher == null) {
        throw new IllegalStateException(
            operation.where() + " returned null instead of a publisher");
      }
      return adapter.toPublisher(publisher);
    } catch (Throwable t) {
      return Mono.error(t);
    }
  }

  /** Each subscription has its own token. */
  private static @Nullable Object[] arguments(MethodInvocation call) {
    return call.getArguments().clone();
  }

  /** Releases, and notes a loss: an error of the release itself would reach the caller wrapped. */
  private static Mono<Void> release(
      List<HeldLock> locks, AtomicReference<@Nullable LockLostException> loss) {
    return Mono.fromFuture(() -> FutureCall.releaseAsync(locks), true).doOnNext(loss::set).then();
  }

  private static Mono<Object> failure(AtomicReference<@Nullable LockLostException> loss) {
    LockLostException lost = loss.get();
    return lost == null ? Mono.empty() : Mono.error(lost);
  }

  /** A loss never hides the failure of the publisher. */
  private static Mono<Void> releaseAfter(List<HeldLock> locks, Throwable failure) {
    return Mono.fromFuture(() -> FutureCall.releaseAsync(locks), true)
        .doOnNext((LockLostException lost) -> failure.addSuppressed(lost))
        .then();
  }
}
