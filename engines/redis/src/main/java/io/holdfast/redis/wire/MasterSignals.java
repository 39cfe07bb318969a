package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Server;
import org.jspecify.annotations.Nullable;

/** Passes on the signals of a master, and no grants of a server that is being replaced. */
final class MasterSignals implements SignalListener {

  private static final String LOOK_AGAIN = "";

  private final MasterFinder finder;
  private final SignalListener listener;
  private volatile @Nullable Server master;

  MasterSignals(MasterFinder finder, SignalListener listener) {
    this.finder = finder;
    this.listener = listener;
  }

  /** Signals come over this connection from now on. */
  Link from(Link link) {
    master = link.address();
    return link;
  }

  /** A message may say that a waiter is in: that is for the present master to say. */
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
  public void lost(String channel) {
    listener.lost(channel);
  }

  @Override
  public void refused(String why) {
    listener.refused(why);
  }
}
