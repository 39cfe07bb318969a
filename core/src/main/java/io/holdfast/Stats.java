package io.holdfast;

/**
 * What a client is doing at this moment, for gauges.
 *
 * @param held the number of claims that this client holds in the store
 * @param waiting the number of waiting callers
 * @param renewalsFailing how many of the held claims got no reply to their last renewal; each is
 *     lost at its deadline unless a later renewal succeeds
 * @param leaving the number of claims that are being removed from the store in the background
 * @param lanesReplaced how often a connection was replaced because the store did not reply, since
 *     the client was opened
 * @param draining whether {@link Holdfast#drain} or {@link Holdfast#close} was called
 */
public record Stats(
    int held,
    int waiting,
    int renewalsFailing,
    int leaving,
    long lanesReplaced,
    boolean draining) {}
