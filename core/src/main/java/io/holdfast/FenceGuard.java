package io.holdfast;

/**
 * Protects a resource from holders that have been overtaken.
 *
 * <p>A lock alone cannot: a holder may be paused, or its message delayed, until long after another
 * holder got in.
 *
 * <p>Exclusive holders call {@code claim} before they first read; shared holders call {@code
 * admit}. Guards compare whole tokens, so holds that were handed over within a client are
 * distinguished too. They keep the last claim of every resource for good: to forget a claim would
 * let old holders in.
 *
 * <p>The check must be part of the same atomic step as the write. Where the data has a guard of its
 * own kind, use its method that checks and writes in one step.
 *
 * <p>Implementations are thread-safe. Guards that use a network throw {@link
 * StoreUnavailableException} when there was no reply: nothing may be written then, and a retry does
 * no harm.
 */
public interface FenceGuard {

  /**
   * Returns a guard of the same records for the resources of a namespace. A new guard is for the
   * namespace {@code default}. Names in different namespaces are different resources.
   *
   * @throws IllegalArgumentException when the namespace is not well formed
   */
  FenceGuard inNamespace(String namespace);

  /**
   * Claims the name of the hold in the namespace of the hold, whatever the namespace of this guard;
   * see {@link #claim(String, long, String)}.
   */
  default void claim(Hold hold) {
    inNamespace(hold.namespace()).claim(hold.name(), hold.token(), hold.id());
  }

  /**
   * Accepts an exclusive holder, and from then on none before it. The claim is accepted if the
   * token is larger than that of the last claim, or if it is the same claim once more.
   *
   * @param holdId the {@link Hold#id()} that the token belongs to
   * @throws StaleTokenException when a later holder, or another one with the same token, has
   *     claimed
   */
  void claim(String resource, long token, String holdId);

  /**
   * Admits the hold to its name in the namespace of the hold, whatever the namespace of this guard;
   * see {@link #admit(String, long, String)}.
   */
  default void admit(Hold hold) {
    inNamespace(hold.namespace()).admit(hold.name(), hold.token(), hold.id());
  }

  /**
   * Accepts a shared holder if its token is larger than that of the last exclusive claim, or if the
   * holder made that claim. It raises nothing, because the tokens of shared holders have no order
   * among each other.
   *
   * @param holdId the {@link Hold#id()} that the token belongs to
   * @throws StaleTokenException when an exclusive holder has claimed since
   */
  void admit(String resource, long token, String holdId);
}
