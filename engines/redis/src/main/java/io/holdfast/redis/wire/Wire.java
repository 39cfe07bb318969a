package io.holdfast.redis.wire;

import java.util.List;

/**
 * The connection of one lane: one to each server that it meets. Only one thread runs calls; any
 * other may {@link #close()} it to break off a call that takes too long.
 */
public interface Wire extends AutoCloseable {

  /**
   * Sends all calls before it reads an answer, so that they cost one trip, and answers them in
   * their order. Scripts that a server does not know are sent in full. Blocks up to the operation
   * timeout; never throws for what became of a call.
   */
  List<Reply> run(List<Call> calls);

  /**
   * As {@link #run(List)}, but passes each reply on as soon as it is known: a server that hangs
   * holds up its own calls alone. Returns when all replies have been passed on.
   */
  default void run(List<Call> calls, Replies to) {
    List<Reply> replies = run(calls);
    for (int i = 0; i < replies.size(); i++) {
      to.reply(i, replies.get(i));
    }
  }

  /** Takes replies, on the thread that runs the calls. */
  interface Replies {

    /** Called once for each call, by its place in the list. */
    void reply(int call, Reply reply);
  }

  /**
   * One command of the store's own, such as INFO, SCAN or TYPE, at the server that has the key. Its
   * answer never has a count of replicas. Blocks and fails as {@link #run} does.
   *
   * @param parts the command's name, then its arguments; the first of them is the key, if it has
   *     one
   */
  Reply command(byte[]... parts);

  @Override
  void close();
}
