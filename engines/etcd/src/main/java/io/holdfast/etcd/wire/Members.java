package io.holdfast.etcd.wire;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The members of the cluster, a channel to each, and which one to ask: the first of the address,
 * and after a failure the next. Safe for any number of threads.
 */
public final class Members implements AutoCloseable {

  private static final long PING_SECONDS = 10;
  private static final long PONG_SECONDS = 5;

  /**
   * One member.
   *
   * @param turn says which choice it was, for {@link #failed}
   */
  record Member(Channel channel, int turn) {}

  /**
   * A member, and the channel to it with our headers.
   *
   * @param token the one among them, or empty
   */
  record Way(Member member, Channel channel, String token) {}

  private final List<Channel> channels;
  private final boolean ours;
  private final Login login;
  private final String store;
  private final AtomicInteger turn = new AtomicInteger();

  private Members(List<Channel> channels, boolean ours, Login login, String store) {
    this.channels = channels;
    this.ours = ours;
    this.login = login;
    this.store = store;
  }

  /**
   * Channels of our own; nothing is connected yet.
   *
   * @param tls how to talk, or null for plain text
   * @param user empty for none
   */
  public static Members of(
      List<InetSocketAddress> addresses,
      @Nullable SslContext tls,
      String user,
      String password,
      String store) {
    List<Channel> channels = new ArrayList<>();
    for (InetSocketAddress address : addresses) {
      NettyChannelBuilder builder =
          NettyChannelBuilder.forAddress(address.getHostString(), address.getPort())
              .directExecutor()
              .disableRetry()
              .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
              .keepAliveTimeout(PONG_SECONDS, TimeUnit.SECONDS);
      channels.add((tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build());
    }
    return new Members(List.copyOf(channels), true, new Login(user, password), store);
  }

  /** A channel that somebody else has made, with all that it needs, and closes. */
  public static Members over(Channel channel, String store) {
    return new Members(List.of(channel), false, new Login("", ""), store);
  }

  /** The addresses without secrets. */
  public String store() {
    return store;
  }

  /** Whether a call is sent once at most: a channel of somebody else may send it again. */
  boolean sendsOnce() {
    return ours;
  }

  Login login() {
    return login;
  }

  /** Whom to ask now. */
  Member current() {
    int now = turn.get();
    return new Member(channels.get(Math.floorMod(now, channels.size())), now);
  }

  /** The way to whom to ask now. Blocks for I/O if it has to log in. */
  Way way(Duration timeout) {
    Member member = current();
    String token = login.token(member.channel(), timeout);
    return new Way(member, login.dress(member.channel(), token), token);
  }

  /** The member did not answer: from now on the next is asked. */
  void failed(Member member) {
    turn.compareAndSet(member.turn(), member.turn() + 1);
  }

  @Override
  public void close() {
    if (ours) {
      channels.forEach(channel -> ((ManagedChannel) channel).shutdownNow());
    }
  }
}
