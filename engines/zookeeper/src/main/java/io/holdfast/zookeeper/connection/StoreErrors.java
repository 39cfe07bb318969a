package io.holdfast.zookeeper.connection;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Translates failures of a ZooKeeper store into {@link EngineException}s. */
public final class StoreErrors {

  /** Carries an {@link EngineException} through futures, which carry no checked exceptions. */
  public static final class EngineFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final EngineException reason;

    public EngineFailure(EngineException reason) {
      super(reason);
      this.reason = reason;
    }
  }

  private final String store;
  private final Refusals refusals;

  /** Creates the error mapping of the store with this address, which contains no secrets. */
  public StoreErrors(String store) {
    this.store = store;
    this.refusals = new Refusals(store);
  }

  /** Returns the address of the store. */
  public String store() {
    return store;
  }

  /** Returns the refusals that all engines word alike. */
  public Refusals refusals() {
    return refusals;
  }

  /**
   * Returns the token for a transaction id, which rises across leader changes.
   *
   * @throws EngineFailure when transaction ids have become too large for tokens
   */
  public long token(Ticket ticket, long zxid) {
    try {
      return Token.of(ticket.generation(), zxid);
    } catch (IllegalArgumentException e) {
      throw new EngineFailure(
          new EngineException.Refused(
              store
                  + " has changed its leader so often that its transaction ids are too large for"
                  + " tokens: start it with empty data and raise the generation",
              e));
    }
  }

  /** Returns the store's error code, or null if the failure is not the store's. */
  public static @Nullable Code code(Throwable failure) {
    return unwrap(failure) instanceof KeeperException keeper ? keeper.code() : null;
  }

  /** Returns the failure without the wrapper of futures. */
  public static Throwable unwrap(Throwable failure) {
    Throwable cause = failure.getCause();
    return failure instanceof CompletionException && cause != null ? cause : failure;
  }

  /** Translates the failure of a verb. */
  public EngineException translate(Throwable failure, Ticket ticket) {
    return translate(failure, ticket.resource().toString());
  }

  /** Translates the failure of a request about something. */
  public EngineException translate(Throwable failure, String about) {
    Throwable bare = unwrap(failure);
    Code code = code(bare);
    if (bare instanceof EngineFailure known) {
      return known.reason;
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
              store + " is too old: use ZooKeeper 3.6 or newer (" + code + ")", bare);
      case SESSIONEXPIRED ->
          new EngineException.NotDone("the session at " + store + " has expired", bare);
      default ->
          new EngineException.Unknown(
              "no reply from " + store + " about " + about + " (" + code + ")", bare);
    };
  }

  /** Waits for a reply; for callers outside of the lanes. */
  public <T> T await(CompletableFuture<T> reply, long timeoutNanos, String about)
      throws EngineException {
    try {
      return reply.get(timeoutNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw translate(e.getCause() == null ? e : e.getCause(), about);
    } catch (TimeoutException e) {
      throw new EngineException.Unknown("no reply from " + store + " about " + about, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.Unknown(
          "interrupted while waiting for " + store + " to reply about " + about, e);
    }
  }
}
