package io.holdfast.etcd;

import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import java.util.List;
import java.util.Optional;

/**
 * Whether the holder of a token is still in, as a part of a transaction: no clock has a say in it.
 * A mutex's token is the revision at which its ticket joined, and it is in while that ticket is the
 * oldest of the line. So all tickets are as old or younger, and not all are younger; which can be
 * asked without knowing the ticket, whose name is a secret.
 */
final class LockCheck {

  private final Keys.Range line;
  private final long token;

  LockCheck(Layout layout, Resource resource, long token) {
    this.line = layout.everything(resource);
    this.token = token;
  }

  /** The transaction, if the holder is in. */
  TxnRequest before(TxnRequest txn) {
    long joined = Token.counter(token);
    List<RequestOp> first = List.of(Ops.oldest(line, 1));
    TxnRequest thereOrOlder =
        Ops.txn(List.of(Ops.allMadeAfter(line, joined - 1)), List.of(Ops.nested(txn)), first);
    return Ops.txn(
        List.of(Ops.allMadeAfter(line, joined)), first, List.of(Ops.nested(thereOrOlder)));
  }

  /** The answer of that transaction; nothing when the holder is not in. */
  Optional<TxnResponse> passed(TxnResponse answer) {
    if (answer.getSucceeded()) {
      return Optional.empty();
    }
    TxnResponse inner = answer.getResponses(0).getResponseTxn();
    return inner.getSucceeded()
        ? Optional.of(inner.getResponses(0).getResponseTxn())
        : Optional.empty();
  }

  /** The token of who is in instead; where nobody is, what the next one to come will exceed. */
  long current(TxnResponse answer) {
    TxnResponse at = answer.getSucceeded() ? answer : answer.getResponses(0).getResponseTxn();
    long revision =
        at.getResponses(0).getResponseRange().getKvsList().stream()
            .map(KeyValue::getCreateRevision)
            .findFirst()
            .orElse(answer.getHeader().getRevision());
    return Token.of(Token.generation(token), revision);
  }
}
