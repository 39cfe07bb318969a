package io.holdfast.rig.proxy;

/**
 * What has gone through a {@link FaultProxy} since its start.
 *
 * @param accepted connections of clients
 * @param open those of them that are open now
 * @param requestBytes passed on to the server
 * @param replyBytes passed on to the clients
 * @param lostRequestBytes taken from clients and never passed on
 * @param lostReplyBytes taken from the server and never passed on
 */
public record ProxyCounts(
    long accepted,
    long open,
    long requestBytes,
    long replyBytes,
    long lostRequestBytes,
    long lostReplyBytes) {}
