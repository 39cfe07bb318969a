package io.holdfast.server.verbs;

import io.holdfast.server.audit.VerbAudit;
import io.holdfast.server.security.AccessCheck;
import io.holdfast.server.security.Call;
import io.holdfast.server.security.Caller;
import io.holdfast.server.security.Identity;
import io.holdfast.server.security.Permit;
import io.holdfast.server.security.Principal;
import io.holdfast.server.security.PrincipalLimits;
import io.holdfast.server.security.Refusal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets calls of clients pass if they have the right and there is room for them, and notes in the
 * audit what was turned away.
 */
public final class Gate {

  private final PrincipalLimits limits;
  private final Optional<VerbAudit> audit;
  private final int generation;

  /**
   * Creates it.
   *
   * @param audit empty: nothing is noted
   * @param generation of the server; a higher one needs a right of its own
   */
  public Gate(PrincipalLimits limits, Optional<VerbAudit> audit, int generation) {
    this.limits = limits;
    this.audit = audit;
    this.generation = generation;
  }

  /** Returns the audit, if there is one. */
  public Optional<VerbAudit> audit() {
    return audit;
  }

  /** Returns the generation of the server. */
  int generation() {
    return generation;
  }

  /** Returns the largest body of a request, in bytes. */
  public int maxBody() {
    return limits.maxBody();
  }

  /**
   * Returns the client's principal.
   *
   * @throws RejectedException when its token was removed meanwhile
   */
  public Principal principal(Caller caller) throws RejectedException {
    Optional<Principal> principal = caller.principal();
    if (principal.isEmpty()) {
      throw denied(caller, Optional.empty(), Identity.ended());
    }
    return principal.get();
  }

  /**
   * Checks the right to a verb.
   *
   * @throws RejectedException when the client does not have it
   */
  Principal checkVerb(Caller caller, Call verb, Ticket ticket) throws RejectedException {
    return check(
        caller,
        Optional.of(ticket.resource()),
        principal -> AccessCheck.check(principal, verb, ticket, generation));
  }

  /**
   * Checks the right to a call with the name of a lock.
   *
   * @throws RejectedException when the client does not have it
   */
  public Principal checkCall(Caller caller, Call call, Resource name) throws RejectedException {
    return check(
        caller,
        Optional.of(name),
        principal -> AccessCheck.check(principal, call, name.namespace(), name.name()));
  }

  /**
   * Checks the right to a call without a name.
   *
   * @throws RejectedException when the client does not have it
   */
  public Principal checkCall(Caller caller, Call call) throws RejectedException {
    return check(caller, Optional.empty(), principal -> AccessCheck.check(principal, call));
  }

  /**
   * Checks the right to list names.
   *
   * @throws RejectedException when the client cannot see any of them
   */
  public Principal checkListing(Caller caller, String namespace, String prefix)
      throws RejectedException {
    return check(
        caller,
        Optional.empty(),
        principal -> AccessCheck.check(principal, Call.LIST_LOCKS, namespace, prefix));
  }

  private Principal check(
      Caller caller, Optional<Resource> name, Function<Principal, Optional<Refusal>> test)
      throws RejectedException {
    Principal principal = principal(caller);
    Optional<Refusal> refusal = test.apply(principal);
    if (refusal.isPresent()) {
      throw denied(caller, name, refusal.get());
    }
    return principal;
  }

  /**
   * Returns room for a call until it has its reply.
   *
   * @throws RejectedException when there is none; never for a renewal or a release
   */
  public Permit room(Caller caller, Principal principal, Call call, Optional<Resource> name)
      throws RejectedException {
    Optional<Refusal> connection = caller.connection().check(call);
    if (connection.isPresent()) {
      throw denied(caller, name, connection.get());
    }
    Permit permit = limits.request(principal, call);
    if (permit.refusal().isPresent()) {
      throw denied(caller, name, permit.refusal().get());
    }
    return permit;
  }

  /** Notes that the ticket of an attempt may have to wait, if there is room for it. */
  void waits(Caller caller, Principal principal, Ticket ticket) throws RejectedException {
    Optional<Refusal> refusal = limits.waits(principal, ticket);
    if (refusal.isPresent()) {
      throw denied(caller, Optional.of(ticket.resource()), refusal.get());
    }
  }

  /** Notes that a ticket does not wait any more. */
  void waitsNoMore(Principal principal, Ticket ticket) {
    if (ticket.waits()) {
      limits.waitsNoMore(principal, ticket);
    }
  }

  /**
   * Returns room for a connection.
   *
   * @throws RejectedException when there is none even for renewals and releases
   */
  public Permit connection(Caller caller) throws RejectedException {
    Permit permit = limits.connection(principal(caller));
    if (permit.refusal().isPresent()) {
      throw denied(caller, Optional.empty(), permit.refusal().get());
    }
    return permit;
  }

  /** Notes a refusal, and returns it as an exception. */
  public RejectedException denied(Caller caller, Optional<Resource> name, Refusal refusal) {
    audit.ifPresent(each -> each.denied(caller.principal(), name, caller.from(), refusal));
    return new RejectedException(refusal);
  }

  /** Notes the refusal of a client that is not known. */
  public RejectedException unknown(String from, Refusal refusal) {
    audit.ifPresent(each -> each.denied(Optional.empty(), Optional.empty(), from, refusal));
    return new RejectedException(refusal);
  }
}
