package io.holdfast.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.RequestOp;
import io.holdfast.etcd.layout.Ops;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A write to etcd that is executed only if the token passes: a put or a delete. */
public final class GuardedWrite {

  private final ByteString key;
  private final Optional<ByteString> value;

  private GuardedWrite(byte[] key, Optional<ByteString> value) {
    this.key = ByteString.copyFrom(key);
    this.value = value;
  }

  /** Writes text. */
  public static GuardedWrite put(String key, String value) {
    return put(key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes bytes. */
  public static GuardedWrite put(byte[] key, byte[] value) {
    return new GuardedWrite(key, Optional.of(ByteString.copyFrom(value)));
  }

  /** Deletes a key. */
  public static GuardedWrite delete(String key) {
    return new GuardedWrite(key.getBytes(StandardCharsets.UTF_8), Optional.empty());
  }

  RequestOp op() {
    return value.map(bytes -> Ops.put(key, bytes, 0)).orElseGet(() -> Ops.delete(key));
  }
}
