package io.holdfast;

/**
 * Stands before what is protected and refuses holders that were overtaken: a lock alone cannot, for
 * a holder may be paused, or its message late, until long after another one got in.
 *
 * <p>Exclusive holders {@code claim} before they first read; shared ones {@code admit} themselves.
 * Guards compare whole tokens, so holds that were handed over within a client are told apart too.
 * They remember the last claim of every resource for good: to forget one would let old holders in.
 *
 * <p>A guard that was not asked in the same atomic step as the write is asked too early: where the
 * data has a guard of its own kind, use its way to check and write in one.
 *
 * <p>Implementations are safe for any number of threads. Those that are asked over a network throw
 * {@link StoreUnavailableException} when there was no answer: nothing may be written then, and
 * asking again does no harm.
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
   * Claims the name of the hold in the namespace of the hold, whatever namespace this guard is for;
   * see {@link #claim(String, long, String)}.
   */
  default void claim(Hold hold) {
    inNamespace(hold.namespace()).claim(hold.name(), hold.token(), hold.id());
  }

  /**
   * Lets an exclusive holder in and everyone before it never again: accepted if the token is larger
   * than that of the last claim, or if it is the same claim once more.
   *
   * @param holdId the {@link Hold#id()} that the token belongs to
   * @throws StaleTokenException when a later holder, or another one with the same token, has
   *     claimed
   */
  void claim(String resource, long token, String holdId);

  /**
   * Admits to the name of the hold in the namespace of the hold, whatever namespace this guard is
   * for; see {@link #admit(String, long, String)}.
   */
  default void admit(Hold hold) {
    inNamespace(hold.namespace()).admit(hold.name(), hold.token(), hold.id());
  }

  /**
   * Lets a shared holder in: accepted if the token is larger than that of the last exclusive claim,
   * or if the holder is the one that claimed. Raises nothing, for tokens of those that are in
   * together say nothing about each other.
   *
   * @param holdId the {@link Hold#id()} that the token belongs to
   * @throws StaleTokenException when an exclusive holder has claimed since
   */
  void admit(String resource, long token, String holdId);
}
