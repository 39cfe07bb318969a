package io.holdfast.etcd.admin;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.connection.EtcdConnection;
import io.holdfast.etcd.connection.LeaseNotFoundException;
import io.holdfast.etcd.layout.Layout;
import io.holdfast.etcd.layout.Ops;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Resource;
import io.holdfast.spi.SwapCounter.Cell;
import io.holdfast.spi.SwapCounter.Cells;
import io.holdfast.spi.SwapCounter.Swapped;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Counters, each one key without a lease.
 *
 * <p>A write is one transaction that compares the revision at which the key was last written, and
 * reads the key if it has changed. etcd has no clock to ask: blocks that follow the clock follow
 * the client's.
 */
public final class CounterKeys implements Cells, AutoCloseable {

  private final EtcdConnection connection;
  private final Layout layout;
  private final Refusals refusals;
  private final LongSupplier epochMicros;
  private volatile boolean closed;

  /** Counters over a connection of their own. */
  public CounterKeys(
      EtcdConnection connection, Layout layout, Refusals refusals, LongSupplier epochMicros) {
    this.connection = connection;
    this.layout = layout;
    this.refusals = refusals;
    this.epochMicros = epochMicros;
  }

  @Override
  public Cell look(Resource name) throws EngineException {
    TxnResponse reply = run(Ops.txn(List.of(), List.of(Ops.get(layout.counter(name))), List.of()));
    return cell(reply.getResponses(0).getResponseRange());
  }

  @Override
  public Swapped swap(Resource name, Cell seen, String text) throws EngineException {
    ByteString key = layout.counter(name);
    TxnResponse reply =
        run(
            Ops.txn(
                List.of(Ops.writtenAt(key, seen.mark())),
                List.of(Ops.put(key, ByteString.copyFromUtf8(text), 0)),
                List.of(Ops.get(key))));
    return reply.getSucceeded()
        ? new Swapped(true, new Cell(text, reply.getHeader().getRevision()))
        : new Swapped(false, cell(reply.getResponses(0).getResponseRange()));
  }

  /** A key that does not exist counts as written at revision 0. */
  private static Cell cell(RangeResponse found) {
    for (KeyValue key : found.getKvsList()) {
      return new Cell(key.getValue().toStringUtf8(), key.getModRevision());
    }
    return new Cell("", 0);
  }

  private TxnResponse run(TxnRequest request) throws EngineException {
    if (closed) {
      throw refusals.closed();
    }
    try {
      return connection.txn(request);
    } catch (LeaseNotFoundException e) {
      throw new EngineException.Unknown("the server reported a lease that has ended", e);
    }
  }

  @Override
  public long epochMicros() {
    return epochMicros.getAsLong();
  }

  /** Cancels the call in progress. */
  @Override
  public void close() {
    closed = true;
    connection.close();
  }
}
