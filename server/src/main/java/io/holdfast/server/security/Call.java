package io.holdfast.server.security;

/**
 * Everything that a client can ask the service to do, and the right that it needs.
 *
 * <p>Verbs and calls of the API are both here: a call of the API that is made of verbs is checked
 * as the call.
 */
public enum Call {
  /** The verbs of a remote engine; every one names a lock. */
  ATTEMPT(Scope.NAME, Right.LOCK),
  RENEW(Scope.NAME, Right.LOCK),
  LEAVE(Scope.NAME, Right.LOCK),
  SETTLE(Scope.NAME, Right.LOCK),
  RESIZE(Scope.NAME, Right.LOCK),
  /** A ticket with a higher generation than the server's: it counts for the whole namespace. */
  RAISE_GENERATION(Scope.NAMESPACE, Right.OPERATE),

  ACQUIRE(Scope.NAME, Right.LOCK),
  /** With a sealed ticket, whose lock is checked like that of the verb. */
  RENEW_TICKETS(Scope.NAME, Right.LOCK),
  /** With a sealed ticket, which is proof enough: who lost a right may still release. */
  RELEASE_TICKETS(Scope.CALLER, Right.LOCK),

  LIST_LOCKS(Scope.LISTING, Right.LOOK),
  SHOW_LOCK(Scope.NAME, Right.LOOK),
  REVOKE(Scope.NAME, Right.OPERATE),
  EVICT(Scope.NAME, Right.OPERATE),
  TAKE(Scope.NAME, Right.COUNT),
  GIVE_BACK(Scope.NAME, Right.COUNT),

  /** Each entry is shown if the caller may look at its lock. */
  AUDIT(Scope.ANYWHERE, Right.LOOK),
  STORE(Scope.ANYWHERE, Right.LOOK);

  /** What the right of a call must cover. */
  enum Scope {
    /** The name in the call. */
    NAME,
    /** All names of the namespace in the call. */
    NAMESPACE,
    /** Some name that begins with the prefix in the call. */
    LISTING,
    /** Any name at all. */
    ANYWHERE,
    /** Nothing: the caller must be authenticated. */
    CALLER
  }

  private final Scope scope;
  private final Right right;

  Call(Scope scope, Right right) {
    this.scope = scope;
    this.right = right;
  }

  Scope scope() {
    return scope;
  }

  Right right() {
    return right;
  }

  /**
   * Returns whether the call keeps or gives back what the caller has: no limit turns it away,
   * because that would end holds.
   */
  public boolean isKeeping() {
    return switch (this) {
      case RENEW, LEAVE, RENEW_TICKETS, RELEASE_TICKETS -> true;
      default -> false;
    };
  }
}
