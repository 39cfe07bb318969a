package io.holdfast;

import io.holdfast.spi.Resource;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What somebody asked for, when and from where. Outlives the asking: reports name it. */
final class Request {

  /** What the thread that asks is to a request. */
  enum Caller {
    /** It goes on at once; another may get the hold. */
    ASYNC,
    /** It waits, and gets the hold. */
    BLOCKING,
    /** It waits, and the hold ends with it. */
    OWNER
  }

  private static final int FRAMES = 8;
  private static final long NO_THREAD = -1;

  private final View view;
  private final Name name;
  private final Resource resource;
  private final long startedAt;
  private final String thread;
  private final long threadId;
  private final @Nullable WeakReference<Thread> owner;
  private final @Nullable Throwable place;

  /**
   * A request of the current thread.
   *
   * @param caller how the thread is bound to it
   */
  Request(View view, Name name, Resource resource, Caller caller) {
    this.view = view;
    this.name = name;
    this.resource = resource;
    this.startedAt = view.client().world().nanoTime();
    Thread current = Thread.currentThread();
    this.thread = current.getName();
    this.threadId = caller == Caller.ASYNC ? NO_THREAD : current.getId();
    this.owner = caller == Caller.OWNER ? new WeakReference<>(current) : null;
    // A stack trace costs about as much as an in-process acquire; beside a round trip it is
    // nothing.
    boolean traced = view.options().traceAcquires() && view.client().traits().blocking();
    this.place = traced ? new Throwable() : null;
  }

  Client client() {
    return view.client();
  }

  View view() {
    return view;
  }

  Name name() {
    return name;
  }

  Resource resource() {
    return resource;
  }

  long startedAt() {
    return startedAt;
  }

  /** How long ago it was made. */
  Duration waited() {
    return Duration.ofNanos(client().world().nanoTime() - startedAt);
  }

  String thread() {
    return thread;
  }

  /** Whether one thread waited for both. */
  boolean isOfSameThread(Request other) {
    return threadId != NO_THREAD && threadId == other.threadId;
  }

  boolean isOwnerDead() {
    if (owner == null) {
      return false;
    }
    Thread thread = owner.get();
    return thread == null || !thread.isAlive();
  }

  /** Where it was asked for, for the end of a message. */
  String place() {
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
