package io.holdfast.etcd.connection;

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
 * The members of the cluster, a channel to each, and the member that calls go to.
 *
 * <p>That is the first member of the address, and after a failure the next one. Safe for use by
 * several threads.
 */
public final class Members implements AutoCloseable {

  /** How long a member that did not reply is skipped. */
  private static final Duration SKIPPED_FOR = Duration.ofSeconds(5);

  /**
   * How long to wait for a member.
   *
   * @param ping after so long without traffic, a connection is pinged
   * @param pong how long to wait for the reply to a ping
   * @param connect how long it may take to connect
   * @param patience how long a member may take to reply before another one is asked too; all of
   *     them have twice that time
   */
  public record Timing(Duration ping, Duration pong, Duration connect, Duration patience) {

    /**
     * Servers close connections that ping faster, unless {@code --grpc-keepalive-min-time} allows.
     */
    private static final Duration FASTEST_PING = Duration.ofSeconds(5);

    private static final Duration SLOWEST_PING = Duration.ofSeconds(10);
    private static final Duration FASTEST_PONG = Duration.ofSeconds(1);
    private static final Duration SLOWEST_PONG = Duration.ofSeconds(5);

    /** Renewals have a sixth of the lease: half of it is left for the second member. */
    private static final int PATIENCE = 12;

    /** For a client with that default lease and that operation timeout. */
    public static Timing of(Duration lease, Duration timeout) {
      return new Timing(
          between(FASTEST_PING, lease.dividedBy(3), SLOWEST_PING),
          between(FASTEST_PONG, lease.dividedBy(6), SLOWEST_PONG),
          timeout,
          between(Duration.ZERO, lease.dividedBy(PATIENCE), timeout.dividedBy(2)));
    }

    private static Duration between(Duration least, Duration wanted, Duration most) {
      Duration enough = wanted.compareTo(least) < 0 ? least : wanted;
      return enough.compareTo(most) > 0 ? most : enough;
    }
  }

  /**
   * One member.
   *
   * @param turn the number of the choice, for {@link #failed}
   */
  public record Member(Channel channel, int turn) {}

  /**
   * A member, and the channel to it with the headers of this client.
   *
   * @param token among these headers, or empty
   */
  public record Route(Member member, Channel channel, String token) {}

  private final List<Channel> channels;
  private final boolean owned;
  private final Login login;
  private final String store;
  private final String prefix;
  private final Duration patience;
  private final AtomicInteger turn = new AtomicInteger();
  private final List<Runnable> onMove = new CopyOnWriteArrayList<>();

  /** When members last did not reply, by their place in the address. */
  private final Map<Integer, Long> hung = new ConcurrentHashMap<>();

  /** When members last replied, by their place in the address. */
  private final Map<Integer, Long> replied = new ConcurrentHashMap<>();

  private Members(
      List<Channel> channels,
      boolean owned,
      Login login,
      String store,
      String prefix,
      Duration patience) {
    this.channels = channels;
    this.owned = owned;
    this.login = login;
    this.store = store;
    this.prefix = prefix;
    this.patience = patience;
  }

  /**
   * Makes a channel to each address; nothing is connected yet.
   *
   * @param tls the TLS settings, or null for plain text
   * @param user empty for none
   * @param prefix of all keys
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
    return new Members(
        List.copyOf(channels), true, new Login(user, password), store, prefix, timing.patience());
  }

  /** Uses a caller-supplied channel, which stays open. */
  public static Members over(Channel channel, String store, String prefix) {
    return new Members(List.of(channel), false, new Login("", ""), store, prefix, Duration.ZERO);
  }

  /** The addresses, without secrets. */
  public String store() {
    return store;
  }

  /** The prefix of all keys. */
  public String prefix() {
    return prefix;
  }

  /** How many members there are. */
  public int size() {
    return channels.size();
  }

  /** Whether a call is sent once at most: a caller-supplied channel may send it again. */
  boolean sendsOnce() {
    return owned;
  }

  public Login login() {
    return login;
  }

  /** How long a member may take to reply before another one is asked too. */
  Duration patience() {
    return patience;
  }

  /** The member that calls go to now. */
  public Member current() {
    return member(turn.get());
  }

  /** The member that calls go to if that one fails. */
  Member after(Member member) {
    return member(next(member.turn()));
  }

  private Member member(int which) {
    return new Member(channels.get(place(which)), which);
  }

  private int place(int which) {
    return Math.floorMod(which, channels.size());
  }

  /** The route to the current member. Blocks for I/O if it has to log in. */
  public Route route(Duration timeout) {
    Member member = current();
    String token = login.token(member.channel(), timeout);
    return new Route(member, login.withHeaders(member.channel(), token), token);
  }

  /** Whether calls still go to that member, without having moved away in between. */
  public boolean isCurrent(Member member) {
    return member.turn() == turn.get();
  }

  /** Calls this whenever calls move to another member, on the thread that moves them. */
  public void onMove(Runnable moved) {
    onMove.add(moved);
  }

  /**
   * Before a call: connects at once to a member that could not be reached before. By itself, a
   * channel pauses between tries, for up to two minutes; here the caller decides how often to try.
   */
  void prepare(Member member) {
    if (owned
        && member.channel() instanceof ManagedChannel channel
        && channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  /** The member has replied, so it does not hang. */
  void replied(Member member) {
    int place = place(member.turn());
    replied.put(place, System.nanoTime());
    hung.remove(place);
  }

  /** A call to the member failed: calls move to the next one. */
  public void failed(Member member) {
    moveOn(member, next(member.turn()));
  }

  private void moveOn(Member from, int to) {
    if (turn.compareAndSet(from.turn(), to)) {
      onMove.forEach(Runnable::run);
    }
  }

  /**
   * The next member. A member that did not reply a moment ago is skipped, if there is another. If
   * none of the others replied, as on a busy machine, it is the member with the latest reply: a
   * member that hangs has not replied for longer than members that are only slow.
   */
  private int next(int turn) {
    int best = turn + 1;
    for (int steps = 1; steps < channels.size(); steps++) {
      if (!isHung(turn + steps)) {
        return turn + steps;
      }
      if (repliedLater(turn + steps, best)) {
        best = turn + steps;
      }
    }
    return best;
  }

  private boolean isHung(int turn) {
    Long since = hung.get(place(turn));
    return since != null && System.nanoTime() - since < SKIPPED_FOR.toNanos();
  }

  private boolean repliedLater(int one, int other) {
    Long last = replied.get(place(one));
    Long before = replied.get(place(other));
    return last != null && (before == null || last - before > 0);
  }

  /**
   * Another member has replied where this one did not: calls move to it. The connection stays, as
   * the member may only be slow.
   *
   * @param silent whether this one is still silent; otherwise its call has failed
   */
  void overtaken(Member slow, Member by, boolean silent) {
    if (place(slow.turn()) == place(by.turn())) {
      return;
    }
    if (silent) {
      hung.put(place(slow.turn()), System.nanoTime());
    }
    moveOn(slow, by.turn());
  }

  /**
   * The member did not reply: calls move to the next one, and come back over a new connection. The
   * old connection may be dead without notice, until a ping is missed.
   */
  void silent(Member member) {
    hung.put(place(member.turn()), System.nanoTime());
    failed(member);
    if (owned && member.channel() instanceof ManagedChannel channel) {
      channel.enterIdle();
    }
  }

  @Override
  public void close() {
    if (owned) {
      channels.forEach(channel -> ((ManagedChannel) channel).shutdownNow());
    }
  }
}
