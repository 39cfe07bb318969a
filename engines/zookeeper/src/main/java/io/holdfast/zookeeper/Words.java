package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** What failures of a store mean, and how they are said. */
final class Words {

  /** A refusal on its way through futures, which carry no checked exceptions. */
  static final class Told extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final EngineException why;

    Told(EngineException why) {
      super(why);
      this.why = why;
    }
  }

  private final String store;
  private final Refusals refusals;

  Words(String store) {
    this.store = store;
    this.refusals = new Refusals(store);
  }

  String store() {
    return store;
  }

  Refusals refusals() {
    return refusals;
  }

  /**
   * A token by the number of a transaction: it rises over all changes of the leader.
   *
   * @throws Told when the numbers have become too large
   */
  long token(Ticket ticket, long zxid) {
    try {
      return Token.of(ticket.generation(), zxid);
    } catch (IllegalArgumentException e) {
      throw new Told(
          new EngineException.Refused(
              store + " has changed its leader too often for its numbers to be tokens", e));
    }
  }

  /** The code of a failure, if it is the store's. */
  static @Nullable Code code(Throwable failure) {
    return bare(failure) instanceof KeeperException keeper ? keeper.code() : null;
  }

  static Throwable bare(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** The failure of a verb. */
  EngineException of(Throwable failure, Ticket ticket) {
    Throwable bare = bare(failure);
    return bare instanceof Told told ? told.why : of(bare, ticket.resource().toString());
  }

  /** The failure of something about this. */
  EngineException of(Throwable failure, String about) {
    Throwable bare = bare(failure);
    Code code = code(bare);
    if (bare instanceof Told told) {
      return told.why;
    } else if (code == null) {
      return new EngineException.Unknown(about + " at " + store + " failed", bare);
    }
    return switch (code) {
      case NOAUTH, AUTHFAILED, INVALIDACL, SESSIONCLOSEDREQUIRESASLAUTH ->
          new EngineException.Refused(
              about
                  + " at "
                  + store
                  + " may not be used with this login ("
                  + code
                  + "): check user, password and the rights on its nodes",
              bare);
      case UNIMPLEMENTED, UNKNOWNSESSION ->
          new EngineException.Refused(
              store + " does not know what is needed: ZooKeeper 3.6 or newer is", bare);
      case SESSIONEXPIRED ->
          new EngineException.NotDone("the session at " + store + " is over", bare);
      default ->
          new EngineException.Unknown(
              "no answer from " + store + " about " + about + " (" + code + ")", bare);
    };
  }
}
