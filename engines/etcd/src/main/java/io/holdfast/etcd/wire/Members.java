package io.holdfast.etcd.wire;

import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The members of the cluster, a channel to each, and which one to ask: the first of the address,
 * and after a failure the next. Safe for any number of threads.
 */
public final class Members implements AutoCloseable {

  /** For so long a member that kept silent is passed over. */
  private static final Duration REMEMBERED = Duration.ofSeconds(5);

  /**
   * How long to wait for a member: for a connection, and for any sign of life on one that is open.
   *
   * @param ping a connection that was silent for so long is asked for a sign
   * @param pong how long to wait for that
   * @param connect how long a connection may take to be made
   */
  public record Timing(Duration ping, Duration pong, Duration connect) {

    /**
     * Servers close connections that ping faster, unless {@code --grpc-keepalive-min-time} says.
     */
    private static final Duration FASTEST_PING = Duration.ofSeconds(5);

    private static final Duration SLOWEST_PING = Duration.ofSeconds(10);
    private static final Duration FASTEST_PONG = Duration.ofSeconds(1);
    private static final Duration SLOWEST_PONG = Duration.ofSeconds(5);

    /** For a client whose usual lease is that, and whose calls may take so long. */
    public static Timing of(Duration lease, Duration timeout) {
      return new Timing(
          between(FASTEST_PING, lease.dividedBy(3), SLOWEST_PING),
          between(FASTEST_PONG, lease.dividedBy(6), SLOWEST_PONG),
          timeout);
    }

    private static Duration between(Duration least, Duration wanted, Duration most) {
      Duration enough = wanted.compareTo(least) < 0 ? least : wanted;
      return enough.compareTo(most) > 0 ? most : enough;
    }
  }

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
  private final String prefix;
  private final AtomicInteger turn = new AtomicInteger();
  private final List<Runnable> onMove = new CopyOnWriteArrayList<>();

  /** When members kept silent last, by their place in the address. */
  private final Map<Integer, Long> hung = new ConcurrentHashMap<>();

  private Members(List<Channel> channels, boolean ours, Login login, String store, String prefix) {
    this.channels = channels;
    this.ours = ours;
    this.login = login;
    this.store = store;
    this.prefix = prefix;
  }

  /**
   * Channels of our own; nothing is connected yet.
   *
   * @param tls how to talk, or null for plain text
   * @param user empty for none
   * @param prefix how all keys begin that are asked for
   */
  public static Members of(
      List<InetSocketAddress> addresses,
      @Nullable SslContext tls,
      String user,
      String password,
      String store,
      String prefix,
      Timing timing) {
    List<Channel> channels = new ArrayList<>();
    for (InetSocketAddress address : addresses) {
      NettyChannelBuilder builder =
          NettyChannelBuilder.forAddress(address.getHostString(), address.getPort())
              .directExecutor()
              .disableRetry()
              .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timing.connect().toMillis())
              .keepAliveTime(timing.ping().toMillis(), TimeUnit.MILLISECONDS)
              .keepAliveTimeout(timing.pong().toMillis(), TimeUnit.MILLISECONDS);
      channels.add((tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build());
    }
    return new Members(List.copyOf(channels), true, new Login(user, password), store, prefix);
  }

  /** A channel that somebody else has made, with all that it needs, and closes. */
  public static Members over(Channel channel, String store, String prefix) {
    return new Members(List.of(channel), false, new Login("", ""), store, prefix);
  }

  /** The addresses without secrets. */
  public String store() {
    return store;
  }

  /** How all keys begin that are asked for. */
  public String prefix() {
    return prefix;
  }

  /** How many there are. */
  public int size() {
    return channels.size();
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

  /** Whether calls go to that member now, over the connection that they had when it was chosen. */
  boolean isCurrent(Member member) {
    return member.turn() == turn.get();
  }

  /** Calls this whenever another member is asked from now on; on the thread that found out. */
  void onMove(Runnable moved) {
    onMove.add(moved);
  }

  /**
   * Before a call: a member that could not be connected to is tried now. Left alone, a channel
   * pauses between tries, in the end for two minutes; how often to try is for the caller to say.
   */
  void prepare(Member member) {
    if (ours
        && member.channel() instanceof ManagedChannel channel
        && channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  /** The member did not answer: from now on the next is asked. */
  void failed(Member member) {
    if (turn.compareAndSet(member.turn(), next(member.turn()))) {
      onMove.forEach(Runnable::run);
    }
  }

  /** The next turn: members that kept silent a moment ago are passed over, if there is another. */
  private int next(int turn) {
    for (int steps = 1; steps < channels.size(); steps++) {
      if (!isHung(turn + steps)) {
        return turn + steps;
      }
    }
    return turn + 1;
  }

  private boolean isHung(int turn) {
    Long since = hung.get(Math.floorMod(turn, channels.size()));
    return since != null && System.nanoTime() - since < REMEMBERED.toNanos();
  }

  /**
   * The member kept silent: the next is asked, and when its turn comes again, it is over a new
   * connection. The old one may be dead without knowing, and stay so until a ping is missed.
   */
  void silent(Member member) {
    hung.put(Math.floorMod(member.turn(), channels.size()), System.nanoTime());
    failed(member);
    if (ours && member.channel() instanceof ManagedChannel channel) {
      channel.enterIdle();
    }
  }

  @Override
  public void close() {
    if (ours) {
      channels.forEach(channel -> ((ManagedChannel) channel).shutdownNow());
    }
  }
}
