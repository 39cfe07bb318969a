package io.holdfast.zookeeper;

import io.holdfast.spi.Standing.Holder;
import io.holdfast.spi.Token;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Whom those that wait are told of. */
final class Holders {

  private Holders() {}

  /** Who has this seat, if it is still there. */
  static CompletableFuture<Optional<Holder>> at(Session session, String line, String seat) {
    return session
        .wire()
        .data(line + "/" + seat, null)
        .handle((node, failure) -> failure == null ? of(node) : Optional.empty());
  }

  static Optional<Holder> of(Wire.Node node) {
    SeatData data = SeatData.read(node.data());
    long token = Token.of(data.generation(), data.entered().number(node.stat()));
    return Optional.of(new Holder(data.owner(), token, data.lease()));
  }
}
