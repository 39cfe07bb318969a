package io.holdfast.server.security;

import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides whether a principal has the right for a call. Returns nothing if so, and the refusal
 * otherwise.
 *
 * <p>A refusal depends on the rules alone, never on what is in the store, so it does not tell
 * whether a lock exists.
 */
public final class AccessCheck {

  private AccessCheck() {}

  /** Checks a right on one name. */
  public static Optional<Refusal> check(
      Principal principal, Right right, String namespace, String name) {
    return principal.may(right, namespace, name)
        ? Optional.empty()
        : lacks(principal, right, "on " + shown(namespace, name));
  }

  /**
   * Checks a call that has no name, such as {@link Call#AUDIT}.
   *
   * @throws IllegalArgumentException when the call has a name
   */
  public static Optional<Refusal> check(Principal principal, Call call) {
    return switch (call.scope()) {
      case CALLER -> Optional.empty();
      case ANYWHERE ->
          principal.mayAnywhere(call.right())
              ? Optional.empty()
              : lacks(principal, call.right(), "on any name");
      case NAME, NAMESPACE, LISTING ->
          throw new IllegalArgumentException(call + " is checked with its name");
    };
  }

  /**
   * Checks a call with its namespace and its name; of {@link Call#LIST_LOCKS}, with the prefix.
   *
   * <p>A listing is allowed if the principal may see any name that it could have. Its lines are
   * filtered by {@link #visible}.
   */
  public static Optional<Refusal> check(
      Principal principal, Call call, String namespace, String name) {
    return switch (call.scope()) {
      case CALLER, ANYWHERE -> check(principal, call);
      case NAME -> check(principal, call.right(), namespace, name);
      case NAMESPACE ->
          principal.mayInAllOf(call.right(), namespace)
              ? Optional.empty()
              : lacks(principal, call.right(), "on all of namespace " + Quoted.text(namespace));
      case LISTING ->
          principal.mayInSomeOf(call.right(), namespace, name)
              ? Optional.empty()
              : lacks(
                  principal, call.right(), "on names that begin with " + shown(namespace, name));
    };
  }

  /**
   * Checks a verb: the right on its lock, and the operator's right if its ticket has a higher
   * generation than the server. A lower one needs no right: stores refuse it.
   */
  public static Optional<Refusal> check(
      Principal principal, Call verb, Ticket ticket, int serverGeneration) {
    Resource lock = ticket.resource();
    Optional<Refusal> refusal = check(principal, verb, lock.namespace(), lock.name());
    return refusal.isPresent() || ticket.generation() <= serverGeneration
        ? refusal
        : check(principal, Call.RAISE_GENERATION, lock.namespace(), lock.name());
  }

  /** Returns which lines of listings and of the audit a principal may see. */
  public static Predicate<Resource> visible(Principal principal) {
    return lock -> principal.may(Right.LOOK, lock.namespace(), lock.name());
  }

  private static String shown(String namespace, String name) {
    return Quoted.text(name) + " in namespace " + Quoted.text(namespace);
  }

  private static Optional<Refusal> lacks(Principal principal, Right right, String where) {
    return Optional.of(
        Refusal.forbidden(
            principal
                + " does not have the right "
                + right.word()
                + " "
                + where
                + "; the auth file of the server gives rights"));
  }
}
