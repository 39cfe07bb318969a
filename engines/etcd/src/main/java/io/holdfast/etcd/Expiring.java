package io.holdfast.etcd;

import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes out a ticket of this client whose own time is over, while the client's lease goes on. */
final class Expiring implements Errand {

  private final Shared shared;
  private final Places.Place place;

  Expiring(Shared shared, Places.Place place) {
    this.shared = shared;
    this.place = place;
  }

  /**
   * Only what joined then: the ticket may have come anew. And only what hangs on a lease of this
   * client: another engine may go on with the ticket, and has hung it on its own. One in doubt is
   * on a key that nobody else has.
   */
  static TxnRequest txn(Shared shared, Places.Place place) {
    List<RequestOp> delete = List.of(Ops.delete(place.key()));
    if (place.isDoubtful()) {
      return Ops.txn(List.of(), delete, List.of());
    }
    Compare same = Ops.createdAt(place.key(), place.revision());
    Set<Long> leases = new LinkedHashSet<>(shared.sessions().leases());
    leases.add(place.lease());
    TxnRequest txn = TxnRequest.getDefaultInstance();
    for (long lease : leases) {
      txn =
          Ops.txn(List.of(same, Ops.hangsOn(place.key(), lease)), delete, List.of(Ops.nested(txn)));
    }
    return txn;
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
    return txn(shared, place);
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
