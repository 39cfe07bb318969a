package io.holdfast.redis.redlock;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.connection.ScriptReply;
import java.util.List;

/**
 * The replies of one master to the calls of one round.
 *
 * @param votes whether it counts for new grants; false if it was not reached
 * @param note why it does not vote although it was reached, else empty
 * @param replies one for each call; not done if it was not reached, unknown if it did not reply in
 *     time
 */
public record MasterReplies(Server server, boolean votes, String note, List<ScriptReply> replies) {}
