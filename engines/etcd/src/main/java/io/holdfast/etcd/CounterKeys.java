package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.LeaseLostException;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.SwapCounter.Cell;
import io.holdfast.spi.SwapCounter.Cells;
import io.holdfast.spi.SwapCounter.Swapped;
import java.util.List;

/**
 * Counters: a key each, under no lease. A write is one transaction that compares the revision at
 * which the key was last written, and answers what is there if that is another one.
 *
 * <p>etcd has no clock that could be asked: blocks that follow the clock follow the client's.
 */
final class CounterKeys implements Cells, AutoCloseable {

  private final Wire wire;
  private final Shared shared;
  private volatile boolean closed;

  /** Keys that are asked for over a wire of their own. */
  CounterKeys(Wire wire, Shared shared) {
    this.wire = wire;
    this.shared = shared;
  }

  @Override
  public Cell look(Resource name) throws EngineException {
    TxnResponse answer =
        run(Ops.txn(List.of(), List.of(Ops.get(shared.layout().counter(name))), List.of()));
    return cell(answer.getResponses(0).getResponseRange());
  }

  @Override
  public Swapped swap(Resource name, Cell seen, String text) throws EngineException {
    ByteString key = shared.layout().counter(name);
    TxnResponse answer =
        run(
            Ops.txn(
                List.of(Ops.writtenAt(key, seen.mark())),
                List.of(Ops.put(key, ByteString.copyFromUtf8(text), 0)),
                List.of(Ops.get(key))));
    return answer.getSucceeded()
        ? new Swapped(true, new Cell(text, answer.getHeader().getRevision()))
        : new Swapped(false, cell(answer.getResponses(0).getResponseRange()));
  }

  /** A key that is not there was written at revision 0. */
  private static Cell cell(RangeResponse found) {
    for (KeyValue key : found.getKvsList()) {
      return new Cell(key.getValue().toStringUtf8(), key.getModRevision());
    }
    return new Cell("", 0);
  }

  private TxnResponse run(TxnRequest request) throws EngineException {
    if (closed) {
      throw shared.refusals().closed();
    }
    try {
      return wire.txn(request);
    } catch (LeaseLostException e) {
      throw new EngineException.Unknown("a counter met a lease that is over", e);
    }
  }

  @Override
  public long epochMicros() {
    return shared.epochMicros().getAsLong();
  }

  /** Ends the call that is under way. */
  @Override
  public void close() {
    closed = true;
    wire.close();
  }
}
