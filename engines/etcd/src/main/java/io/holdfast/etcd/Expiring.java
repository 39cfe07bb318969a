package io.holdfast.etcd;

import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes out a ticket of this client whose own time is over, while the client's lease goes on. */
final class Expiring implements Errand {

  private final Shared shared;
  private final Places.Place place;

  Expiring(Shared shared, Places.Place place) {
    this.shared = shared;
    this.place = place;
  }

  /** Only what joined then: the ticket may have come anew. One in doubt cannot, on that key. */
  static TxnRequest txn(Places.Place place) {
    return Ops.txn(
        place.isDoubtful() ? List.of() : List.of(Ops.createdAt(place.key(), place.revision())),
        List.of(Ops.delete(place.key())),
        List.of());
  }

  /** No other errand has this one, so it stands in no one's way. */
  @Override
  public Resource resource() {
    return new Resource("default", place.id().encoded());
  }

  @Override
  public @Nullable Session session() {
    return null;
  }

  @Override
  public TxnRequest ask(Wire wire, boolean alone) {
    return txn(place);
  }

  @Override
  public boolean hear(TxnResponse answer, long revision, Wire wire) {
    shared.places().takenOut(place);
    if (!place.isDoubtful()) {
      shared.disarm(place.id());
    }
    return true;
  }

  @Override
  public void fail(EngineException failure) {
    shared.places().notTakenOut(place);
  }
}
