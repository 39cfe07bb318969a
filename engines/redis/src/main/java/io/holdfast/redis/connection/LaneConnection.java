package io.holdfast.redis.connection;

import java.util.List;

/**
 * The connection of one lane to the store, with a socket to each used server.
 *
 * <p>Only one thread runs calls; any other may {@link #close()} it to break off a call that takes
 * too long.
 */
public interface LaneConnection extends AutoCloseable {

  /**
   * Sends all calls before it reads a reply, so that they cost one trip; returns the replies in the
   * order of the calls. Scripts that a server does not know are sent in full. Blocks up to the
   * operation timeout; never throws for what became of a call.
   */
  List<ScriptReply> run(List<ScriptCall> calls);

  /**
   * As {@link #run(List)}, but passes each reply on as soon as it is known: a server that hangs
   * delays only its own calls. Returns when all replies have been passed on.
   */
  default void run(List<ScriptCall> calls, Replies to) {
    List<ScriptReply> replies = run(calls);
    for (int i = 0; i < replies.size(); i++) {
      to.reply(i, replies.get(i));
    }
  }

  /** Receives replies, on the thread that runs the calls. */
  interface Replies {

    /** Called once for each call, with its index in the list. */
    void reply(int call, ScriptReply reply);
  }

  /**
   * Runs one Redis command, such as INFO, SCAN or TYPE, at the server that has the key. The reply
   * never has a count of replicas. Blocks and fails as {@link #run} does.
   *
   * @param parts the command's name, then its arguments; the first of them is the key, if it has
   *     one
   */
  ScriptReply command(byte[]... parts);

  @Override
  void close();
}
