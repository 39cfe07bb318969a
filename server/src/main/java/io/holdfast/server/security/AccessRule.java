package io.holdfast.server.security;

import java.util.Optional;
import java.util.Set;

/**
 * One line {@code allow} of the auth file: rights on some names of one namespace, or of all.
 *
 * @param namespace the namespace; empty: every namespace
 * @param name the name, or what names begin with if {@code prefix}
 */
record AccessRule(Set<Right> rights, Optional<String> namespace, String name, boolean prefix) {

  /** Every right on every name. */
  static final AccessRule ALL =
      new AccessRule(Set.of(Right.values()), Optional.empty(), "", /* prefix= */ true);

  AccessRule {
    rights = Set.copyOf(rights);
  }

  boolean covers(Right right, String inNamespace, String itsName) {
    return hasIn(right, inNamespace) && (prefix ? itsName.startsWith(name) : itsName.equals(name));
  }

  /** Returns whether the rule covers every name of the namespace. */
  boolean coversAllOf(Right right, String inNamespace) {
    return hasIn(right, inNamespace) && prefix && name.isEmpty();
  }

  /** Returns whether the rule covers every name of every namespace. */
  boolean coversEverything(Right right) {
    return rights.contains(right) && namespace.isEmpty() && prefix && name.isEmpty();
  }

  /** Returns whether the rule covers a name that begins with this. */
  boolean coversSomeOf(Right right, String inNamespace, String listed) {
    return hasIn(right, inNamespace)
        && (name.startsWith(listed) || (prefix && listed.startsWith(name)));
  }

  private boolean hasIn(Right right, String inNamespace) {
    return rights.contains(right) && (namespace.isEmpty() || namespace.get().equals(inNamespace));
  }
}
