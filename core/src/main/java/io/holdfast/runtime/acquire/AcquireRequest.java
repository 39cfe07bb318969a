package io.holdfast.runtime.acquire;

import io.holdfast.AcquireTracer;
import io.holdfast.HoldfastListener;
import io.holdfast.runtime.client.Client;
import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.spi.Resource;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An acquire request and its origin. Kept after the acquire for leak reports. */
public final class AcquireRequest {

  /** The relation of the requesting thread to the request. */
  public enum Caller {
    /** The thread continues at once; another thread may receive the hold. */
    ASYNC,
    /** The thread waits and receives the hold. */
    BLOCKING,
    /** The thread waits, and the hold ends with the thread. */
    OWNER
  }

  private static final int FRAMES = 8;
  private static final long NO_THREAD = -1;

  private final ClientView view;
  private final LockName name;
  private final Resource resource;
  private final long startedAt;
  private final String thread;
  private final long threadId;
  private final @Nullable WeakReference<Thread> owner;
  private final @Nullable Throwable place;

  /** The span of this acquire, if it is traced and has not ended. */
  private AcquireTracer.@Nullable Span span;

  /**
   * Creates a request of the current thread.
   *
   * @param caller how the thread is bound to it
   */
  public AcquireRequest(ClientView view, LockName name, Resource resource, Caller caller) {
    this.view = view;
    this.name = name;
    this.resource = resource;
    this.startedAt = view.client().world().nanoTime();
    Thread current = Thread.currentThread();
    this.thread = current.getName();
    this.threadId = caller == Caller.ASYNC ? NO_THREAD : current.getId();
    this.owner = caller == Caller.OWNER ? new WeakReference<>(current) : null;
    // A stack trace costs about as much as an in-process acquire; next to a round trip it is
    // negligible.
    boolean traced = view.options().traceAcquires() && view.client().traits().blocking();
    this.place = traced ? new Throwable() : null;
  }

  /**
   * Begins the span of this acquire, if the view has a tracer. Called by the requesting thread,
   * before the request is queued.
   *
   * @param wait the longest wait in nanoseconds, or {@link Waiter#NO_LIMIT}
   */
  public AcquireRequest traced(long wait, boolean tryOnly) {
    span = view.trace(name, tryOnly ? 0 : wait);
    return this;
  }

  /** Reports that the caller gets the hold. */
  public void tellAcquired(long token, Duration waited, boolean handedOver) {
    view.tell(() -> new HoldfastListener.Acquired(name.tag(), name.kind(), waited, handedOver));
    AcquireTracer.Span ended = endSpan();
    if (ended != null) {
      view.guarded("tracer", () -> ended.acquired(token, handedOver));
    }
  }

  /** Reports that the acquire ended without a hold. */
  public void tellEnd(HoldfastListener.Why why) {
    view.tell(() -> new HoldfastListener.NotAcquired(name.tag(), name.kind(), why, waited()));
    AcquireTracer.Span ended = endSpan();
    if (ended != null) {
      view.guarded("tracer", () -> ended.notAcquired(why));
    }
  }

  private AcquireTracer.@Nullable Span endSpan() {
    AcquireTracer.Span ended = span;
    span = null;
    return ended;
  }

  public Client client() {
    return view.client();
  }

  public ClientView view() {
    return view;
  }

  public LockName name() {
    return name;
  }

  public Resource resource() {
    return resource;
  }

  public long startedAt() {
    return startedAt;
  }

  /** Returns the time since the request was made. */
  public Duration waited() {
    return Duration.ofNanos(client().world().nanoTime() - startedAt);
  }

  public String thread() {
    return thread;
  }

  /** Returns whether the same thread waited for both requests. */
  public boolean isOfSameThread(AcquireRequest other) {
    return threadId != NO_THREAD && threadId == other.threadId;
  }

  public boolean isOwnerDead() {
    if (owner == null) {
      return false;
    }
    Thread thread = owner.get();
    return thread == null || !thread.isAlive();
  }

  /** Returns the call site, to be appended to a message. */
  public String place() {
    String at = ", acquired by thread " + thread;
    if (place == null) {
      return at;
    }
    return at
        + Arrays.stream(place.getStackTrace())
            .filter(frame -> !frame.getClassName().startsWith("io.holdfast."))
            .limit(FRAMES)
            .map(frame -> String.format(Locale.ROOT, "%n    at %s", frame))
            .collect(Collectors.joining());
  }
}
