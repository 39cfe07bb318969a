package io.holdfast.etcd.connection;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Logs in, and adds the headers of every call: the login token, and that a leader is required.
 *
 * <p>After the server has rejected a token, the next call fetches another one.
 */
public final class Login {

  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> HAS_LEADER =
      Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

  private final String user;
  private final String password;
  private volatile String token = "";

  /** An empty user means no login. */
  public Login(String user, String password) {
    this.user = user;
    this.password = password;
  }

  /** The channel with the headers; logs in first if there is no token. Blocks for I/O then. */
  Channel withHeaders(Channel channel, Duration timeout) {
    return withHeaders(channel, token(channel, timeout));
  }

  /** The channel with the headers, with that token unless it is empty. */
  Channel withHeaders(Channel channel, String token) {
    Metadata headers = new Metadata();
    headers.put(HAS_LEADER, "true");
    if (!token.isEmpty()) {
      headers.put(TOKEN, token);
    }
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** The token; logs in if there is none. Empty without a user. Blocks for I/O. */
  public String token(Channel channel, Duration timeout) {
    String known = token;
    if (!known.isEmpty() || user.isEmpty()) {
      return known;
    }
    AuthenticateRequest request =
        AuthenticateRequest.newBuilder().setName(user).setPassword(password).build();
    String fresh =
        ClientCalls.blockingUnaryCall(
                channel,
                AuthGrpc.getAuthenticateMethod(),
                CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS),
                request)
            .getToken();
    token = fresh;
    return fresh;
  }

  /** Drops a token that the server has rejected, unless there is a newer one. */
  public synchronized void forget(String stale) {
    if (token.equals(stale)) {
      token = "";
    }
  }

  /** Drops the token if this failure means that a new one may help; returns whether it does. */
  boolean forgetIfStale(StatusRuntimeException failure) {
    String text = text(failure.getStatus());
    boolean stale =
        !user.isEmpty()
            && (failure.getStatus().getCode() == Status.Code.UNAUTHENTICATED
                || text.contains("invalid auth token")
                || text.contains("revision of auth store is old"));
    if (stale) {
      token = "";
    }
    return stale;
  }

  private static String text(Status status) {
    String description = status.getDescription();
    return description == null ? "" : description.toLowerCase(Locale.ROOT);
  }
}
