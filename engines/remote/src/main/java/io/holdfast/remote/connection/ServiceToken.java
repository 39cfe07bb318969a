package io.holdfast.remote.connection;

import io.holdfast.spi.support.StoreUri;
import io.holdfast.spi.support.UriParameters;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a client's token for the lock service comes from: a file, or the environment.
 *
 * <p>Never from the address, which appears in logs, listings of processes and messages. The
 * parameter {@value #FILE_PARAMETER} of the address names a file; without it the token is in the
 * variable {@value #VARIABLE}, if it is set. The file is read for every connection, so a new token
 * needs no restart.
 *
 * <p>No message, cause or {@code toString()} contains the token. Immutable; thread-safe.
 */
public final class ServiceToken {

  /** The variable of the environment that holds the token. */
  public static final String VARIABLE = "HOLDFAST_TOKEN";

  /** The parameter of the address that names the file, as a program writes it. */
  public static final String FILE_PARAMETER = "holdfast.tokenFile";

  private static final int LONGEST = 1024;
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]+=*");
  private static final String RULE =
      " must be letters, digits and . _ ~ + / - =, at most " + LONGEST + " of them";

  private final Optional<Path> file;
  private final Optional<String> fromEnvironment;

  private ServiceToken(Optional<Path> file, Optional<String> fromEnvironment) {
    this.file = file;
    this.fromEnvironment = fromEnvironment;
  }

  /**
   * Finds out where the token is.
   *
   * @param address without parameters that the runtime keeps
   * @param parameters of the address; they may have {@value #FILE_PARAMETER}
   * @param environment returns a variable of the environment, or null: {@code System::getenv}
   * @throws IllegalArgumentException when the address has a login, the file cannot be read, the
   *     token is malformed, or it would be sent to another machine without TLS
   */
  public static ServiceToken find(
      StoreUri address, UriParameters parameters, UnaryOperator<@Nullable String> environment) {
    refuseLogin(address.loginOrPassword().isPresent());
    Optional<Path> file = parameters.text(FILE_PARAMETER).map(ServiceToken::path);
    Optional<String> variable =
        file.isPresent()
            ? Optional.empty()
            : Optional.ofNullable(environment.apply(VARIABLE)).filter(text -> !text.isBlank());
    ServiceToken token =
        new ServiceToken(
            file, variable.map(text -> require("the variable " + VARIABLE, text.strip())));
    if (file.isPresent()) {
      token.read(file.get());
    }
    if (file.isPresent() || variable.isPresent()) {
      requirePrivate(address);
    }
    return token;
  }

  private static void refuseLogin(boolean hasLogin) {
    if (hasLogin) {
      throw new IllegalArgumentException(
          "the address of a lock service has no user or password: put its token into the variable "
              + VARIABLE
              + ", or into a file that "
              + FILE_PARAMETER
              + " names");
    }
  }

  /**
   * Checks an address before it is parsed, because the usual messages repeat the name of an unknown
   * parameter and explain how to write a login.
   *
   * @param address as the program wrote it
   * @param known the names of the parameters that the engine has
   * @throws IllegalArgumentException when there is a login or another parameter; the message has
   *     nothing of it
   */
  public static void refuseSecrets(String address, Set<String> known) {
    int question = address.indexOf('?');
    refuseLogin(address.substring(0, question < 0 ? address.length() : question).contains("@"));
    if (question < 0) {
      return;
    }
    List<String> query = List.of(address.substring(question + 1).split("&", -1));
    for (int i = 0; i < query.size(); i++) {
      int equals = query.get(i).indexOf('=');
      if (equals < 0 || !known.contains(query.get(i).substring(0, equals))) {
        throw new IllegalArgumentException(
            "parameter "
                + (i + 1)
                + " of the address is not one of "
                + known.stream().sorted().toList()
                + "; a token does not belong into the address: put it into the variable "
                + VARIABLE
                + ", or into a file that "
                + FILE_PARAMETER
                + " names");
      }
    }
  }

  private static Path path(String text) {
    if (text.isEmpty() || text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(FILE_PARAMETER + " must be the path of a file");
    }
    return Path.of(text);
  }

  /** Over plain HTTP everybody on the way could read the token. */
  private static void requirePrivate(StoreUri address) {
    if (address.scheme().equals("https")) {
      return;
    }
    for (StoreUri.Server server : address.servers(0)) {
      if (!isLoopback(server.host())) {
        throw new IllegalArgumentException(
            "a token is sent with https:// only, or to this machine: "
                + address
                + " is not; write https://, or leave the token out");
      }
    }
  }

  private static boolean isLoopback(String host) {
    try {
      for (InetAddress each : InetAddress.getAllByName(host)) {
        if (!each.isLoopbackAddress()) {
          return false;
        }
      }
      return true;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /**
   * Returns the value of the header {@code Authorization} for a connection, if there is a token.
   *
   * @throws IOException when the file cannot be read now, or has no token in it
   */
  public Optional<String> authorization() throws IOException {
    if (file.isEmpty()) {
      return fromEnvironment.map(ServiceToken::bearer);
    }
    try {
      return Optional.of(bearer(read(file.get())));
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e.getCause());
    }
  }

  private static String bearer(String token) {
    return "Bearer " + token;
  }

  private String read(Path from) {
    String what = "the token file " + from;
    try (InputStream in = Files.newInputStream(from)) {
      byte[] content = in.readNBytes(LONGEST + 3);
      return require(what, new String(content, StandardCharsets.ISO_8859_1).strip());
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(what + " does not exist", e);
    } catch (IOException e) {
      throw new IllegalArgumentException(what + " cannot be read: " + e, e);
    }
  }

  private static String require(String what, String token) {
    if (token.length() > LONGEST || !FORM.matcher(token).matches()) {
      throw new IllegalArgumentException("the token in " + what + RULE);
    }
    return token;
  }

  /** Says where the token is, and not what it is. */
  @Override
  public String toString() {
    return file.map(path -> "token in " + path)
        .orElse(fromEnvironment.isPresent() ? "token in " + VARIABLE : "no token");
  }
}
