package io.holdfast.server.security;

import io.holdfast.spi.Owner;
import java.util.List;

/**
 * A caller of the service and its rights. Immutable.
 *
 * <p>Rights are those of the auth file when this was created. A connection keeps its {@link
 * Identity}, which returns the principal as the file has it now.
 */
public final class Principal {

  /** The one caller of a service without authentication, which has all rights. */
  public static final Principal LOCAL = new Principal("local", List.of(AccessRule.ALL));

  private static final String LABEL = "principal ";

  private final String name;
  private final List<AccessRule> rules;

  Principal(String name, List<AccessRule> rules) {
    this.name = name;
    this.rules = List.copyOf(rules);
  }

  /** Returns the name in the auth file; of a certificate, its subject as RFC 2253 writes it. */
  public String name() {
    return name;
  }

  /** Returns whether a rule gives this right on the name. */
  public boolean may(Right right, String namespace, String lock) {
    return rules.stream().anyMatch(rule -> rule.covers(right, namespace, lock));
  }

  /** Returns whether a rule gives this right on all names of the namespace. */
  public boolean mayInAllOf(Right right, String namespace) {
    return rules.stream().anyMatch(rule -> rule.coversAllOf(right, namespace));
  }

  /** Returns whether a rule gives this right on all names of all namespaces. */
  public boolean mayEverywhere(Right right) {
    return rules.stream().anyMatch(rule -> rule.coversEverything(right));
  }

  /** Returns whether a rule gives this right on a name that begins with this. */
  public boolean mayInSomeOf(Right right, String namespace, String prefix) {
    return rules.stream().anyMatch(rule -> rule.coversSomeOf(right, namespace, prefix));
  }

  /** Returns whether a rule gives this right on any name. */
  public boolean mayAnywhere(Right right) {
    return rules.stream().anyMatch(rule -> rule.rights().contains(right));
  }

  /**
   * Returns the owner with this principal at the start of its text, for everybody who looks.
   *
   * <p>What the client wrote follows it, so a client cannot appear as another principal. A second
   * call changes nothing. Without authentication there is nothing to add.
   */
  public Owner sign(Owner owner) {
    String mark = LABEL + name;
    boolean signed = owner.text().equals(mark) || owner.text().startsWith(mark + "; ");
    if (this == LOCAL || signed) {
      return owner;
    }
    String text = owner.text().isEmpty() ? mark : mark + "; " + owner.text();
    return new Owner(owner.app(), owner.host(), owner.pid(), owner.thread(), text);
  }

  @Override
  public String toString() {
    return LABEL + Quoted.text(name);
  }
}
