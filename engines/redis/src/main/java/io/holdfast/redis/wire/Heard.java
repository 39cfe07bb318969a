package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import java.util.List;

/**
 * What one of several servers said to its calls of one round.
 *
 * @param votes whether its word counts for new grants; false too when it was not reached
 * @param note why it does not vote although it was reached, else empty
 * @param replies one for each call; not done when it was not reached, unknown when it did not
 *     answer in time
 */
public record Heard(Server server, boolean votes, String note, List<Reply> replies) {}
