package io.holdfast.etcd.wire;

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
 * The headers of every call: that only a member with a leader may answer, and who we are. A token
 * that the server does not take any more is fetched anew by whoever meets that first.
 */
final class Login {

  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
  private static final Metadata.Key<String> HAS_LEADER =
      Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

  private final String user;
  private final String password;
  private volatile String token = "";

  /** Without a user if that is empty. */
  Login(String user, String password) {
    this.user = user;
    this.password = password;
  }

  /** The channel with our headers; asks for a token first if there is none. Blocks for I/O. */
  Channel dress(Channel channel, Duration timeout) {
    return dress(channel, token(channel, timeout));
  }

  /** The channel with our headers, of which that token is one unless it is empty. */
  Channel dress(Channel channel, String token) {
    Metadata headers = new Metadata();
    headers.put(HAS_LEADER, "true");
    if (!token.isEmpty()) {
      headers.put(TOKEN, token);
    }
    return ClientInterceptors.intercept(
        channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** The token; asks for one if there is none. Empty without a user. Blocks for I/O. */
  String token(Channel channel, Duration timeout) {
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

  /** The server does not take that token any more; another that came after it stays. */
  synchronized void forget(String stale) {
    if (token.equals(stale)) {
      token = "";
    }
  }

  /** Whether this failure means that a new token may help; then the old one is forgotten. */
  boolean isStale(StatusRuntimeException failure) {
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
