package io.holdfast.redis.connection;

import io.holdfast.spi.EngineException;
import java.util.Optional;
import java.util.Set;

/** Maps an error of the server to what it means for the call. */
public final class ServerErrors {

  static final String NO_SCRIPT = "NOSCRIPT";

  /** The server rejected the call before it did anything. */
  private static final Set<String> NOT_DONE =
      Set.of(
          "LOADING",
          "READONLY",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "TRYAGAIN",
          "NOREPLICAS",
          "BUSY",
          "OOM",
          "MISCONF",
          "MOVED",
          "ASK",
          NO_SCRIPT);

  /** This server cannot serve for now, another one might: reconnect. */
  private static final Set<String> ELSEWHERE = Set.of("LOADING", "READONLY", "MASTERDOWN");

  private static final Set<String> RIGHTS = Set.of("NOPERM", "NOAUTH", "WRONGPASS");

  private ServerErrors() {}

  /** Returns the first word of an error, which is its kind. */
  static String kind(String message) {
    int space = message.indexOf(' ');
    return space < 0 ? message : message.substring(0, space);
  }

  /** Returns whether to reconnect, perhaps to another server. */
  static boolean isElsewhere(String message) {
    return ELSEWHERE.contains(kind(message));
  }

  /** Servers quote the beginning of what they do not understand, which may be a secret. */
  private static String withoutArguments(String message) {
    int args = message.indexOf(", with args beginning with");
    return args < 0 ? message : message.substring(0, args);
  }

  /** Maps an error of a login: nothing was done yet, and some errors are permanent. */
  static EngineException ofLogin(String message, String address) {
    String said = address + " refused the login: " + withoutArguments(message);
    if (RIGHTS.contains(kind(message)) || message.startsWith("ERR AUTH")) {
      return new EngineException.Refused(said + "; check user and password");
    }
    if (isOfNoUse(message) || message.startsWith("ERR DB index") || isProtected(message)) {
      return new EngineException.Refused(said);
    }
    return new EngineException.NotDone(said, null);
  }

  private static boolean isOfNoUse(String message) {
    return message.startsWith("ERR unknown command");
  }

  /** Redis 7.0 has no error kind for missing rights inside a script. */
  private static boolean isInsideScript(String message) {
    return message.startsWith("ERR The user executing the script can't");
  }

  private static boolean isProtected(String message) {
    return kind(message).equals("DENIED");
  }

  /** Maps an error of a call. */
  public static EngineException of(String message, String what, String address) {
    String said = address + " said to " + what + ": " + withoutArguments(message);
    if (NOT_DONE.contains(kind(message))) {
      return new EngineException.NotDone(said, null);
    }
    Optional<String> advice = advice(message);
    if (advice.isPresent()) {
      return new EngineException.Refused(said + advice.get());
    }
    // A script that fails half-way keeps what it wrote before.
    return new EngineException.Unknown(said, null);
  }

  /** Returns what to do about a permanent error. */
  private static Optional<String> advice(String message) {
    String kind = kind(message);
    if (isOfNoUse(message)) {
      return Optional.of("; Holdfast needs Redis 7.0 or later");
    }
    if (RIGHTS.contains(kind) || isInsideScript(message)) {
      return Optional.of(
          "; give the user the rights that docs/engines/redis.md lists (ACL LOG at the server says"
              + " which is missing)");
    }
    if (message.startsWith("ERR Error compiling script")) {
      return Optional.of("");
    }
    return switch (kind) {
      case "CROSSSLOT" ->
          Optional.of("; a cluster wants all keys of one step to share a tag in braces");
      case "WRONGTYPE" ->
          Optional.of(
              "; a key of another program is in the way: all keys that begin with {hf: are"
                  + " Holdfast's");
      default -> Optional.empty();
    };
  }
}
