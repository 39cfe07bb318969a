package io.holdfast.etcd.connection;

import io.grpc.Status;
import io.holdfast.spi.EngineException;
import java.net.ConnectException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Maps a failed call to what it means: not done, unknown, or refused. */
final class StoreErrors {

  private final String store;
  private final String prefix;
  private final boolean once;

  /**
   * For calls to that store, with keys that have that prefix.
   *
   * @param once whether a call is sent once at most; if not, its last failure says nothing about
   *     the outcome of the earlier tries
   */
  StoreErrors(String store, String prefix, boolean once) {
    this.store = store;
    this.prefix = prefix;
    this.once = once;
  }

  EngineException map(Status status) {
    String said = said(status);
    String text = said.toLowerCase(Locale.ROOT);
    return switch (status.getCode()) {
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          refused(said, "grant the user of this client read and write on the prefix " + prefix);
      case INVALID_ARGUMENT, FAILED_PRECONDITION -> invalid(said, text, status);
      case UNIMPLEMENTED -> refused(said, "etcd 3.4 or newer is required");
      case RESOURCE_EXHAUSTED -> exhausted(said, text, status);
      case UNAVAILABLE -> unavailable(said, text, status);
      // The call has not left the client, and will not.
      case DEADLINE_EXCEEDED ->
          text.contains("waiting_for_connection") ? notDone(said, status) : unknown(said, status);
      default -> unknown(said, status);
    };
  }

  private EngineException invalid(String said, String text, Status status) {
    if (text.contains("too many operations")) {
      return refused(said, "set its --max-txn-ops to 128, the default, or more");
    }
    if (text.contains("auth") || text.contains("user name")) {
      return refused(said, "add a user and a password to the address");
    }
    return text.contains("etcdserver:") ? refused(said, "see its log") : unknown(said, status);
  }

  /**
   * Too many requests: the server rejected the call before doing anything. No space: the server
   * reports that before it executes a call, but also after a call that used up the space.
   */
  private EngineException exhausted(String said, String text, Status status) {
    if (text.contains("space exceeded")) {
      return new EngineException.Unknown(
          "etcd at "
              + store
              + " has no space left, and may have executed the call or not ("
              + said
              + "): compact and defragment it, or raise its --quota-backend-bytes,"
              + " and then disarm its alarm",
          status.asRuntimeException());
    }
    return text.contains("too many requests") ? notDone(said, status) : unknown(said, status);
  }

  private EngineException unavailable(String said, String text, Status status) {
    boolean noLeader = text.contains("no leader");
    return noLeader || neverConnected(status.getCause())
        ? notDone(said, status)
        : unknown(said, status);
  }

  private static boolean neverConnected(@Nullable Throwable cause) {
    for (Throwable at = cause; at != null; at = at.getCause()) {
      if (at instanceof ConnectException) {
        return true;
      }
    }
    return false;
  }

  private static String said(Status status) {
    String description = status.getDescription();
    return status.getCode() + (description == null ? "" : ", " + description);
  }

  private EngineException notDone(String said, Status status) {
    if (!once) {
      return unknown(said, status);
    }
    return new EngineException.NotDone(
        "etcd at " + store + " did not accept the call (" + said + ")",
        status.asRuntimeException());
  }

  private EngineException unknown(String said, Status status) {
    return new EngineException.Unknown(
        "etcd at " + store + " did not reply (" + said + ")", status.asRuntimeException());
  }

  private EngineException refused(String said, String advice) {
    return new EngineException.Refused(
        "etcd at " + store + " refused the call (" + said + "): " + advice);
  }
}
