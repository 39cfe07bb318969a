package io.holdfast.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Runs the method under a lock: acquire, begin the transaction, run, commit, release.
 *
 * <pre>{@code
 * @Locked(name = "orders/{#id}", waitFor = "5s")
 * @Transactional
 * public void pay(long id) { … }
 * }</pre>
 *
 * <p>A name that the same call chain holds already is joined: the same hold, the same token. A
 * parameter with {@link Token} receives the fencing token; {@link Holds} has the hold.
 *
 * <p>A method that returns a {@code CompletionStage} or a publisher does not block: the hold lasts
 * until the stage completes, or from subscription to the end of the publisher.
 *
 * <p>If the hold is lost while the method runs, transactions that begin or commit afterwards on its
 * thread roll back, and the caller gets {@link io.holdfast.LockLostException}, unless the method
 * itself throws. Reactive transactions are not checked before their commit.
 *
 * <p>The annotation works on methods of Spring beans that are called from outside of their class.
 * The start fails for methods that cannot be guarded; see {@link LockedSettings#check()}.
 */
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Locked {

  /** Alias of {@link #name()}. */
  @AliasFor("name")
  String value() default "";

  /**
   * The name: text, {@code ${properties}} and SpEL in slots, such as {@code orders/{#id}}. A slot
   * sees the arguments by their names and beans as {@code @bean}. A collection in a slot stands for
   * several names: all are acquired, or none. The call fails when the value of a slot is empty, or
   * of a type that other processes may write in another way, such as an object with the {@code
   * toString()} of {@code Object}. A doubled brace stands for a brace. With empty slots the name is
   * the tag of events and meters.
   */
  @AliasFor("value")
  String name() default "";

  /**
   * How long to wait: {@code 500ms}, {@code 5s}, {@code PT5S}, {@code ${property}}. {@code 0s}
   * tries once. Empty: {@link LockedSettings#waitFor()}.
   */
  String waitFor() default "";

  /** What happens when the lock is still busy then. */
  OnBusy onBusy() default OnBusy.THROW;

  /** A mutex, or a side of a read/write lock. */
  LockSide side() default LockSide.EXCLUSIVE;

  /** The bean name or qualifier of the client, where there are several. */
  String client() default "";

  /**
   * Whether each transaction that begins under this hold claims the fence before anything else, so
   * that the database refuses holders that have been overtaken. Read-only transactions do not.
   */
  boolean fence() default false;

  /**
   * The bean name of the transaction manager whose transactions claim the fence. Empty: the only
   * one, or the primary one.
   */
  String transactionManager() default "";
}
