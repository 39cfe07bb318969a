package io.holdfast.server.security;

import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An authenticated caller, for as long as its connection lives. Thread-safe.
 *
 * <p>A connection asks for the principal at every verb, so a change of the auth file counts for
 * connections that are open already: rights change at once, and a token that was removed from the
 * file speaks for nobody. Between changes of the file a call costs one comparison.
 */
public final class Identity {

  private record Seen(AuthFile file, Optional<Principal> principal) {}

  private final Supplier<AuthFile> files;
  private final Function<AuthFile, Optional<Principal>> find;
  private volatile @Nullable Seen seen;

  Identity(Supplier<AuthFile> files, Function<AuthFile, Optional<Principal>> find) {
    this.files = files;
    this.find = find;
  }

  /**
   * Returns the principal with its rights as of now, or nothing when the auth file does not know
   * the caller's token any more: then its requests are refused with {@link #ended}.
   */
  public Optional<Principal> principal() {
    AuthFile now = files.get();
    Seen last = seen;
    if (last == null || last.file() != now) {
      last = new Seen(now, find.apply(now));
      seen = last;
    }
    return last.principal();
  }

  /** Returns the refusal for requests of a connection whose token was removed. */
  public static Refusal ended() {
    return Refusal.wrongCredentials("the token of this connection is not valid any more");
  }

  /** Without the token. */
  @Override
  public String toString() {
    return principal().map(Principal::toString).orElse("nobody");
  }
}
