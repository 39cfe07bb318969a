package io.holdfast.etcd;

import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Ticket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a ticket whose turn it is, beside what is renewed. If it is not as it was, its own next
 * renewal looks, and says what has become of it.
 */
final class Checking implements Errand {

  private final Looks looks;
  private final Looks.Last last;
  private final Look look;

  Checking(Shared shared, Looks.Last last) {
    this.looks = shared.looks();
    this.last = last;
    Ticket ticket = last.ticket();
    this.look =
        new Look(shared.layout().of(ticket.resource(), ticket.shape()), ticket.shape(), last.key());
  }

  /** It only reads, so it may share a trip with whoever changes the line. */
  @Override
  public Resource resource() {
    return new Resource("default", last.ticket().id().encoded());
  }

  @Override
  public @Nullable Session session() {
    return null;
  }

  @Override
  public TxnRequest ask(Wire wire, boolean alone) {
    return Ops.txn(List.of(), look.opsFromWithin(), List.of());
  }

  @Override
  public boolean hear(TxnResponse answer, long revision, Wire wire) {
    if (!isAsItWas(look.seats(answer.getResponsesList()))) {
      looks.differs(last);
    }
    return true;
  }

  private boolean isAsItWas(Seats seats) {
    int index = seats.indexOf(last.key());
    if (index < 0 || !seats.isIn(index)) {
      return false;
    }
    Seat seat = seats.seats().get(index);
    return seat.revision() == last.revision()
        && seat.lease() == last.lease()
        && seat.revoked().isEmpty()
        && seats.isWanted() == last.wanted();
  }

  /**
   * A look that was refused, as without rights, is repeated by the next renewal; else its turn
   * comes.
   */
  @Override
  public void fail(EngineException failure) {
    if (failure instanceof EngineException.Refused) {
      looks.differs(last);
    }
  }
}
