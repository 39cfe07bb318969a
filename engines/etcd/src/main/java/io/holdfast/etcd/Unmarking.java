package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.etcd.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes out a mark that counts no more, where its lease goes on for longer. */
final class Unmarking implements Errand {

  private final Marks marks;
  private final Marks.Mark mark;

  Unmarking(Marks marks, Marks.Mark mark) {
    this.marks = marks;
    this.mark = mark;
  }

  /** Only that mark: another may have come after it. */
  static TxnRequest txn(ByteString key, long written) {
    return Ops.txn(List.of(Ops.writtenAt(key, written)), List.of(Ops.drop(key)), List.of());
  }

  @Override
  public Resource resource() {
    return mark.resource();
  }

  @Override
  public @Nullable Session session() {
    return null;
  }

  @Override
  public TxnRequest ask(Wire wire, boolean alone) {
    return txn(mark.key(), mark.written());
  }

  @Override
  public boolean hear(TxnResponse answer, long revision, Wire wire) {
    return true;
  }

  @Override
  public void fail(EngineException failure) {
    marks.notTakenOut(mark);
  }
}
