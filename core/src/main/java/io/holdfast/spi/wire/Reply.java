package io.holdfast.spi.wire;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.Optional;

/** The reply to a verb, or the failure that takes its place. */
public sealed interface Reply {

  /** The reply to an attempt. */
  record OfAttempt(Standing standing) implements Reply {}

  /** The reply to a renewal. */
  record OfRenew(Renewal renewal) implements Reply {}

  /** The reply to a leave. */
  record OfLeave(Left left) implements Reply {}

  /** The reply to a settle or a resize. */
  record OfChange(boolean isDone) implements Reply {}

  /** No reply. */
  record Failed(EngineException failure) implements Reply {}

  /** Writes a grant. */
  static void write(MessageWriter out, Standing.Granted granted) {
    out.putLong(granted.token()).put(granted.validFor()).put(granted.wanted());
  }

  /** Reads a grant. */
  static Standing.Granted readGranted(MessageReader in) throws MalformedMessageException {
    return new Standing.Granted(in.getLong(), in.getDuration(), in.getFlag());
  }

  /** Writes a failure: its kind and its message, without causes. */
  static void write(MessageWriter out, EngineException failure) {
    out.put(
        failure instanceof EngineException.NotDone
            ? 'N'
            : failure instanceof EngineException.Refused ? 'R' : 'U');
    out.put(String.valueOf(failure.getMessage()));
  }

  /** Reads a failure. */
  static EngineException readFailure(MessageReader in) throws MalformedMessageException {
    byte kind = in.get();
    String message = in.getText();
    return switch (kind) {
      case 'N' -> new EngineException.NotDone(message, null);
      case 'R' -> new EngineException.Refused(message);
      default -> new EngineException.Unknown(message, null);
    };
  }

  /** Writes the reply. */
  default void write(MessageWriter out) {
    if (this instanceof OfAttempt attempt) {
      write(out, attempt.standing);
    } else if (this instanceof OfRenew renew) {
      write(out, renew.renewal);
    } else if (this instanceof OfLeave leave) {
      out.put(
          switch (leave.left) {
            case HOLDING -> 'h';
            case WAITING -> 'w';
            case NOTHING -> 'n';
          });
    } else if (this instanceof OfChange change) {
      out.put(change.isDone ? 'y' : 'x');
    } else if (this instanceof Failed failed) {
      out.put('F');
      write(out, failed.failure);
    }
  }

  private static void write(MessageWriter out, Standing standing) {
    if (standing instanceof Standing.Granted granted) {
      out.put('G');
      write(out, granted);
    } else if (standing instanceof Standing.Done done) {
      out.put('D').put(done.left());
    } else if (standing instanceof Standing.Waiting waiting) {
      out.put('W').putInt(waiting.ahead()).put(waiting.retryAfter());
      out.put(waiting.holder().isPresent());
      waiting
          .holder()
          .ifPresent(
              holder -> {
                Wire.write(out, holder.owner());
                out.putLong(holder.token()).put(holder.remaining());
              });
    }
  }

  private static void write(MessageWriter out, Renewal renewal) {
    if (renewal instanceof Renewal.Renewed renewed) {
      out.put('R').put(renewed.validFor()).put(renewed.wanted());
    } else if (renewal instanceof Renewal.Gone gone) {
      out.put(
          switch (gone.cause()) {
            case UNKNOWN_TICKET -> 'U';
            case REVOKED -> 'V';
            case SESSION_OVER -> 'S';
          });
      out.put(gone.reason());
    }
  }

  /** Reads a reply. */
  static Reply read(MessageReader in) throws MalformedMessageException {
    byte code = in.get();
    return switch (code) {
      case 'G' -> new OfAttempt(readGranted(in));
      case 'D' -> new OfAttempt(new Standing.Done(in.getDuration()));
      case 'W' -> {
        int ahead = in.getInt();
        Duration retryAfter = in.getDuration();
        Optional<Standing.Holder> holder =
            in.getFlag()
                ? Optional.of(
                    new Standing.Holder(Wire.readOwner(in), in.getLong(), in.getDuration()))
                : Optional.empty();
        yield new OfAttempt(new Standing.Waiting(ahead, retryAfter, holder));
      }
      case 'R' -> new OfRenew(new Renewal.Renewed(in.getDuration(), in.getFlag()));
      case 'U' -> gone(Renewal.Cause.UNKNOWN_TICKET, in);
      case 'V' -> gone(Renewal.Cause.REVOKED, in);
      case 'S' -> gone(Renewal.Cause.SESSION_OVER, in);
      case 'h' -> new OfLeave(Left.HOLDING);
      case 'w' -> new OfLeave(Left.WAITING);
      case 'n' -> new OfLeave(Left.NOTHING);
      case 'y' -> new OfChange(true);
      case 'x' -> new OfChange(false);
      case 'F' -> new Failed(readFailure(in));
      default -> throw Wire.unknown("reply", code);
    };
  }

  private static Reply gone(Renewal.Cause cause, MessageReader in)
      throws MalformedMessageException {
    return new OfRenew(new Renewal.Gone(cause, in.getText()));
  }
}
