package io.holdfast.redis.connection;

import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.spi.EngineException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store with one master at a time: a single server, or Sentinel's master. */
final class MasterTopology implements ServerTopology {

  private final String address;
  private final MasterFinder finder;
  private final ConnectionFactory factory;
  private final Replicas replicas;
  private final Duration timeout;

  MasterTopology(
      String address,
      MasterFinder finder,
      ConnectionFactory factory,
      Replicas replicas,
      Duration timeout) {
    this.address = address;
    this.finder = finder;
    this.factory = factory;
    this.replicas = replicas;
    this.timeout = timeout;
  }

  @Override
  public LaneConnection connect() throws EngineException {
    return new MasterLaneConnection(finder, factory, replicas, timeout).open();
  }

  @Override
  public Subscription subscribe(SignalListener listener) {
    return listen(SubscriberSettings.Style.PLAIN, listener, SubscriberSettings.POLL);
  }

  @Override
  public Optional<Subscription> watch(Script look, SignalListener listener) {
    return Optional.of(
        listen(SubscriberSettings.Style.watching(look), listener, SubscriberSettings.NEXT_RENEWAL));
  }

  private Subscription listen(
      SubscriberSettings.Style style, SignalListener listener, String without) {
    MasterSignals signals = new MasterSignals(finder, listener);
    SubscriberThread thread =
        SubscriberThread.start(
            address,
            new SubscriberSettings(
                style, sockets -> signals.from(open(sockets)), timeout, signals, without));
    finder.onReplaced(thread::reconnect);
    return thread;
  }

  private RedisConnection open(OpenSockets sockets) throws EngineException {
    Deadline deadline = Deadline.in(timeout);
    return factory.openUnchecked(finder.find(sockets, deadline), sockets, deadline);
  }

  @Override
  public void onMasterReplaced(Runnable listener) {
    finder.onReplaced(listener);
  }

  @Override
  public List<LaneConnection> masters() throws EngineException {
    return List.of(connect());
  }

  @Override
  public boolean isCluster() {
    return false;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public void close() {
    finder.close();
  }

  /** Passes on the signals of a master, but no grants of a server that is being replaced. */
  private static final class MasterSignals implements SignalListener {

    private static final String LOOK_AGAIN = "";

    private final MasterFinder finder;
    private final SignalListener listener;
    private volatile @Nullable Server master;

    MasterSignals(MasterFinder finder, SignalListener listener) {
      this.finder = finder;
      this.listener = listener;
    }

    /** Signals come over this connection from now on. */
    RedisConnection from(RedisConnection connection) {
      master = connection.address();
      return connection;
    }

    /** A message may grant a ticket, and only the present master may do that. */
    @Override
    public void message(String channel, String payload) {
      Server from = master;
      boolean trusted = from != null && finder.objection(from) == null;
      listener.message(channel, trusted ? payload : LOOK_AGAIN);
    }

    @Override
    public void armed(String channel) {
      listener.armed(channel);
    }

    @Override
    public void changed(List<String> keys) {
      listener.changed(keys);
    }

    @Override
    public void lost(String channel) {
      listener.lost(channel);
    }

    @Override
    public void refused(String why) {
      listener.refused(why);
    }
  }
}
