package io.holdfast.etcd.layout;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import java.util.List;

/** Builds the comparisons and operations of etcd transactions. */
public final class Ops {

  /** {@code Compare.CompareTarget.LEASE} and {@code Compare.lease} of etcd's own messages. */
  private static final int LEASE_TARGET = 4;

  private static final int LEASE_FIELD = 8;

  private Ops() {}

  /** If all comparisons hold, runs the first operations, else the second. */
  public static TxnRequest txn(
      List<Compare> when, List<RequestOp> then, List<RequestOp> otherwise) {
    return TxnRequest.newBuilder()
        .addAllCompare(when)
        .addAllSuccess(then)
        .addAllFailure(otherwise)
        .build();
  }

  /** A transaction as one operation of another. */
  public static RequestOp nested(TxnRequest txn) {
    return RequestOp.newBuilder().setRequestTxn(txn).build();
  }

  /** The key does not exist. */
  public static Compare absent(ByteString key) {
    return created(key, Compare.CompareResult.EQUAL, 0).build();
  }

  /** The key was created at that revision, and has existed since. */
  public static Compare createdAt(ByteString key, long revision) {
    return created(key, Compare.CompareResult.EQUAL, revision).build();
  }

  /** The range has no keys. */
  public static Compare empty(Keys.Range range) {
    return created(range.from(), Compare.CompareResult.EQUAL, 0).setRangeEnd(range.to()).build();
  }

  /** The range has keys, and all of them were created after that revision. */
  public static Compare allCreatedAfter(Keys.Range range, long revision) {
    return created(range.from(), Compare.CompareResult.GREATER, revision)
        .setRangeEnd(range.to())
        .build();
  }

  /** No key in the range was created after that revision; the range may be empty. */
  public static Compare noneCreatedAfter(Keys.Range range, long revision) {
    return created(range.from(), Compare.CompareResult.LESS, revision + 1)
        .setRangeEnd(range.to())
        .build();
  }

  /** The key is attached to that lease. jetcd lacks this comparison, which etcd has since 3.3. */
  public static Compare underLease(ByteString key, long lease) {
    UnknownFieldSet.Field number = UnknownFieldSet.Field.newBuilder().addVarint(lease).build();
    return Compare.newBuilder()
        .setKey(key)
        .setTargetValue(LEASE_TARGET)
        .setResult(Compare.CompareResult.EQUAL)
        .setUnknownFields(UnknownFieldSet.newBuilder().addField(LEASE_FIELD, number).build())
        .build();
  }

  /** The key exists with that value. */
  public static Compare valueIs(ByteString key, ByteString value) {
    return valued(key, Compare.CompareResult.EQUAL, value);
  }

  /** The key exists with a value that sorts before that one. */
  public static Compare valueBefore(ByteString key, ByteString value) {
    return valued(key, Compare.CompareResult.LESS, value);
  }

  /** The key was last written at that revision; 0: it does not exist. */
  public static Compare writtenAt(ByteString key, long revision) {
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
  public static RequestOp get(ByteString key) {
    return range(RangeRequest.newBuilder().setKey(key));
  }

  /** Reads a range in the order in which its keys were created; limit 0 reads all of it. */
  public static RequestOp oldest(Keys.Range range, int limit) {
    return range(byCreation(range, RangeRequest.SortOrder.ASCEND).setLimit(limit));
  }

  /** Reads the keys, without values, that were created last; before that revision unless 0. */
  public static RequestOp latest(Keys.Range range, long before, int limit) {
    return range(
        byCreation(range, RangeRequest.SortOrder.DESCEND)
            .setMaxCreateRevision(before == 0 ? 0 : before - 1)
            .setKeysOnly(true)
            .setLimit(limit));
  }

  /** Reads the first keys of a range, in the order of the keys. */
  public static RequestOp first(Keys.Range range, int limit) {
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

  /** Writes a key that exists as long as the lease; 0: for ever. */
  public static RequestOp put(ByteString key, ByteString value, long lease) {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(value).setLease(lease))
        .build();
  }

  /** Writes another value and keeps the lease; the key must exist. */
  public static RequestOp change(ByteString key, ByteString value) {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(key).setValue(value).setIgnoreLease(true))
        .build();
  }

  /** Attaches a key to another lease and keeps its value; the key must exist. */
  public static RequestOp attach(ByteString key, long lease) {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(key).setIgnoreValue(true).setLease(lease))
        .build();
  }

  /** Deletes a key and returns its last value. */
  public static RequestOp deleteReturning(ByteString key) {
    return RequestOp.newBuilder()
        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key).setPrevKv(true))
        .build();
  }

  /** Deletes a key. */
  public static RequestOp delete(ByteString key) {
    return RequestOp.newBuilder()
        .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
        .build();
  }

  /** Deletes all keys of a range. */
  public static RequestOp deleteAll(Keys.Range range) {
    return RequestOp.newBuilder()
        .setRequestDeleteRange(
            DeleteRangeRequest.newBuilder().setKey(range.from()).setRangeEnd(range.to()))
        .build();
  }
}
