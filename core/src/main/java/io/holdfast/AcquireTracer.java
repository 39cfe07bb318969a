package io.holdfast;

import java.time.Duration;
import java.util.Optional;

/**
 * Receives the beginning and the end of each acquire, for tracing.
 *
 * <p>{@link #begin} is called on the caller's thread, so the caller's context, such as the current
 * span of a tracing library, can be read there and kept in the returned {@link Span}. Unlike {@link
 * HoldfastListener}, a tracer receives raw names: do not make metric tags of them.
 *
 * <p>Both methods must be quick and must not block. Exceptions that they throw are logged and
 * ignored; the acquire is not affected. A client without a tracer does no work for it.
 *
 * <pre>{@code
 * AcquireTracer tracer = acquire -> {
 *   var span = myTracer.start("acquire " + acquire.tag());
 *   return new AcquireTracer.Span() {
 *     public void acquired(long token, boolean handedOver) { span.end(); }
 *     public void notAcquired(HoldfastListener.Why why) { span.error(why.name()).end(); }
 *   };
 * };
 * }</pre>
 */
@FunctionalInterface
public interface AcquireTracer {

  /** A tracer that does nothing; the default. */
  AcquireTracer NONE = acquire -> Span.NONE;

  /**
   * Called before anything is requested from the store, on the thread that called the acquire.
   *
   * @return receives the end of this acquire
   */
  Span begin(Acquire acquire);

  /**
   * An acquire that begins.
   *
   * @param name the raw name
   * @param tag the template of the name, or {@code untagged}
   * @param waitFor the longest time that the caller waits; zero for a single try, empty for no
   *     limit
   * @param store the store's address, without secrets
   */
  record Acquire(
      String namespace,
      String name,
      String tag,
      Kind kind,
      Optional<Duration> waitFor,
      String store) {}

  /**
   * The end of one acquire. One of the methods is called, once, on the thread on which the acquire
   * ends: the caller's if it blocks, another one if it does not.
   */
  interface Span {

    /** Does nothing. */
    Span NONE =
        new Span() {
          @Override
          public void acquired(long token, boolean handedOver) {}

          @Override
          public void notAcquired(HoldfastListener.Why why) {}
        };

    /**
     * The caller gets the hold.
     *
     * @param handedOver whether another thread of this client handed it over without a store call
     */
    void acquired(long token, boolean handedOver);

    /** The acquire ended without a hold. */
    void notAcquired(HoldfastListener.Why why);
  }
}
