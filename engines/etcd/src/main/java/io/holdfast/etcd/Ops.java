package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.List;

/** The words of etcd's transactions. */
final class Ops {

  /** {@code Compare.CompareTarget.LEASE} and {@code Compare.lease} of etcd's own messages. */
  private static final int LEASE_TARGET = 4;

  private static final int LEASE_FIELD = 8;

  private Ops() {}

  /** If all of it is so, these, else those. */
  static TxnRequest txn(List<Compare> when, List<RequestOp> then, List<RequestOp> otherwise) {
    return TxnRequest.newBuilder()
        .addAllCompare(when)
        .addAllSuccess(then)
        .addAllFailure(otherwise)
        .build();
  }

  /** A transaction as a part of another. */
  static RequestOp nested(TxnRequest txn) {
    return RequestOp.newBuilder().setRequestTxn(txn).build();
  }

  /** The key is not there. */
  static Compare absent(ByteString key) {
    return created(key, Compare.CompareResult.EQUAL, 0).build();
  }

  /** The key is the one that was made at that revision. */
  static Compare createdAt(ByteString key, long revision) {
    return created(key, Compare.CompareResult.EQUAL, revision).build();
  }

  /** No key is in the range. */
  static Compare empty(Keys.Range range) {
    return created(range.from(), Compare.CompareResult.EQUAL, 0).setRangeEnd(range.to()).build();
  }

  /** There are keys in the range, and all of them were made after that revision. */
  static Compare allMadeAfter(Keys.Range range, long revision) {
    return created(range.from(), Compare.CompareResult.GREATER, revision)
        .setRangeEnd(range.to())
        .build();
  }

  /** No key in the range was made after that revision; there may be none at all. */
  static Compare noneMadeAfter(Keys.Range range, long revision) {
    return created(range.from(), Compare.CompareResult.LESS, revision + 1)
        .setRangeEnd(range.to())
        .build();
  }

  /**
   * The key hangs on that lease. jetcd's messages lack that comparison, which etcd has since 3.3.
   */
  static Compare hangsOn(ByteString key, long lease) {
    UnknownFieldSet.Field number = UnknownFieldSet.Field.newBuilder().addVarint(lease).build();
    return Compare.newBuilder()
        .setKey(key)
        .setTargetValue(LEASE_TARGET)
        .setResult(Compare.CompareResult.EQUAL)
        .setUnknownFields(UnknownFieldSet.newBuilder().addField(LEASE_FIELD, number).build())
        .build();
  }

  /** The key is there with that value. */
  static Compare valueIs(ByteString key, ByteString value) {
    return valued(key, Compare.CompareResult.EQUAL, value);
  }

  /** The key is there with a value that sorts before that one. */
  static Compare valueBefore(ByteString key, ByteString value) {
    return valued(key, Compare.CompareResult.LESS, value);
  }

  /** The key was last written at that revision; 0: it is not there. */
  static Compare writtenAt(ByteString key, long revision) {
    return Compare.newBuilder()
        .setKey(key)
        .setTarget(Compare.CompareTarget.MOD)
        .setResult(Compare.CompareResult.EQUAL)
        .setModRevision(revision)
        .build();
  }

  private static Compare valued(ByteString key, Compare.CompareResult result, ByteString value) {
    return Compare.newBuilder()
        .setKey(key)
        .setTarget(Compare.CompareTarget.VALUE)
        .setResult(result)
        .setValue(value)
        .build();
  }

  private static Compare.Builder created(
      ByteString key, Compare.CompareResult result, long revision) {
    return Compare.newBuilder()
        .setKey(key)
        .setTarget(Compare.CompareTarget.CREATE)
        .setResult(result)
        .setCreateRevision(revision);
  }

  /** Reads one key. */
  static RequestOp get(ByteString key) {
    return range(RangeRequest.newBuilder().setKey(key));
  }

  /** Reads a range in the order in which its keys were made; 0: all of it. */
  static RequestOp oldest(Keys.Range range, int limit) {
    return range(byCreation(range, RangeRequest.SortOrder.ASCEND).setLimit(limit));
  }

  /** The names of the keys that were made last; before that revision, unless it is 0. */
  static RequestOp latest(Keys.Range range, long before, int limit) {
    return range(
        byCreation(range, RangeRequest.SortOrder.DESCEND)
            .setMaxCreateRevision(before == 0 ? 0 : before - 1)
            .setKeysOnly(true)
            .setLimit(limit));
  }

  /** The first keys of a range, in their own order. */
  static RequestOp first(Keys.Range range, int limit) {
    return range(
        RangeRequest.newBuilder().setKey(range.from()).setRangeEnd(range.to()).setLimit(limit));
  }

  private static RangeRequest.Builder byCreation(Keys.Range range, RangeRequest.SortOrder order) {
    return RangeRequest.newBuilder()
        .setKey(range.from())
        .setRangeEnd(range.to())
        .setSortTarget(RangeRequest.SortTarget.CREATE)
        .setSortOrder(order);
  }

  private static RequestOp range(RangeRequest.Builder range) {
    return RequestOp.newBuilder().setRequestRange(range).build();
  }

  /** Writes a key that lives as long as the lease; 0: for ever. */
  static RequestOp put(ByteString key, ByteString value, long lease) {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(value).setLease(lease))
        .build();
  }

  /** Writes another value and leaves the lease as it is; the key must be there. */
  static RequestOp change(ByteString key, ByteString value) {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(value).setIgnoreLease(true))
        .build();
  }

  /** Hangs a key on another lease and leaves its value as it is; the key must be there. */
  static RequestOp hang(ByteString key, long lease) {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(key).setIgnoreValue(true).setLease(lease))
        .build();
  }

  /** Deletes a key and answers what it was. */
  static RequestOp delete(ByteString key) {
    return RequestOp.newBuilder()
        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key).setPrevKv(true))
        .build();
  }

  /** Deletes a key. */
  static RequestOp drop(ByteString key) {
    return RequestOp.newBuilder()
        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
        .build();
  }

  /** Deletes all of a range. */
  static RequestOp deleteAll(Keys.Range range) {
    return RequestOp.newBuilder()
        .setRequestDeleteRange(
            DeleteRangeRequest.newBuilder().setKey(range.from()).setRangeEnd(range.to()))
        .build();
  }
}
