package io.holdfast.server.security;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import javax.security.auth.x500.X500Principal;

/**
 * Tells who a caller is, by its bearer token or its client certificate. Thread-safe.
 *
 * <p>{@link #local} is for a service on loopback without an auth file: every caller is the same
 * principal, which has all rights. {@link #reading} reads an auth file and follows its changes.
 */
public final class Authenticator implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Authenticator.class.getName());
  private static final String BEARER = "bearer ";

  private final Optional<WatchedFiles<AuthFile>> watched;

  private Authenticator(Optional<WatchedFiles<AuthFile>> watched) {
    this.watched = watched;
  }

  /** Returns an authenticator that accepts every caller as {@link Principal#LOCAL}. */
  public static Authenticator local() {
    return new Authenticator(Optional.empty());
  }

  /**
   * Returns an authenticator for an {@link AuthFile}. After {@link #start} it looks at the file
   * once a second; a change counts when two looks saw the same content. A new file that is wrong or
   * unreadable changes nothing: the service keeps the old one, logs the reason and reports it as
   * {@link #problem}.
   *
   * @throws IllegalArgumentException when the file cannot be read, is wrong, or may be written by
   *     everybody
   */
  public static Authenticator reading(Path file) {
    FilePermissions.requireNotWritableByAll("auth file", file);
    return new Authenticator(
        Optional.of(
            new WatchedFiles<>(
                "auth file",
                List.of(file),
                contents -> {
                  FilePermissions.requireNotWritableByAll("the file", file);
                  return parse(contents.get(0));
                },
                change -> {})));
  }

  private static AuthFile parse(byte[] content) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      AuthFile file = AuthFile.parse(text);
      file.warnings().forEach(each -> LOG.log(System.Logger.Level.WARNING, "auth file " + each));
      return file;
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("the file must be UTF-8");
    }
  }

  /** Begins to follow changes of the file. Without effect on {@link #local}. */
  public void start() {
    watched.ifPresent(WatchedFiles::start);
  }

  /** Looks at the file now: for tests. */
  void look() {
    watched.ifPresent(WatchedFiles::look);
  }

  /** Returns whether callers need credentials. */
  public boolean isRequired() {
    return watched.isPresent();
  }

  /** Returns why the present content of the file is not in use, if so. */
  public Optional<String> problem() {
    return watched.flatMap(WatchedFiles::problem);
  }

  /**
   * Returns who sent a request. A token, if there is one, decides alone: a wrong token is refused
   * even beside a good certificate.
   *
   * @param authorization all headers {@code Authorization} of the request
   * @param subject the subject of the client certificate that the TLS handshake has verified
   */
  public Authentication authenticate(List<String> authorization, Optional<X500Principal> subject) {
    if (watched.isEmpty()) {
      Identity everybody = new Identity(() -> AuthFile.EMPTY, file -> Optional.of(Principal.LOCAL));
      return new Authentication.Accepted(everybody, Principal.LOCAL);
    }
    Supplier<AuthFile> files = watched.get()::current;
    if (authorization.isEmpty()) {
      return subject
          .map(each -> bySubject(files, each))
          .orElseGet(
              () ->
                  rejected(
                      Refusal.noCredentials(
                          "this service needs a token: send Authorization: Bearer TOKEN")));
    }
    if (authorization.size() > 1) {
      return rejected(Refusal.wrongCredentials("send the header Authorization once"));
    }
    String header = authorization.get(0).strip();
    if (!header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
      return rejected(Refusal.wrongCredentials("the header Authorization must be: Bearer TOKEN"));
    }
    return BearerToken.of(header.substring(BEARER.length()).strip())
        .map(token -> accepted(new Identity(files, file -> file.principal(token))))
        .orElseGet(Authenticator::unknownToken);
  }

  private static Authentication bySubject(Supplier<AuthFile> files, X500Principal subject) {
    if (subject.getName().isEmpty()) {
      return rejected(Refusal.wrongCredentials("the client certificate has no subject"));
    }
    return accepted(new Identity(files, file -> Optional.of(file.principal(subject))));
  }

  private static Authentication accepted(Identity identity) {
    return identity
        .principal()
        .<Authentication>map(principal -> new Authentication.Accepted(identity, principal))
        .orElseGet(Authenticator::unknownToken);
  }

  private static Authentication unknownToken() {
    return rejected(Refusal.wrongCredentials("the token is not valid"));
  }

  private static Authentication rejected(Refusal refusal) {
    return new Authentication.Rejected(refusal);
  }

  /** Stops following the file; the last content stays in use. */
  @Override
  public void close() {
    watched.ifPresent(WatchedFiles::close);
  }
}
