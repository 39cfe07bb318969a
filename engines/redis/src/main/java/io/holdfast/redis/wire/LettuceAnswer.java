package io.holdfast.redis.wire;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer as the server gave it: a number, bytes, nothing, or a list of such. */
final class LettuceAnswer extends CommandOutput<byte[], byte[], Object> {

  private record Open(List<@Nullable Object> list, int size) {}

  private final Deque<Open> lists = new ArrayDeque<>();

  @SuppressWarnings("NullAway") // Nothing is null here too.
  LettuceAnswer() {
    super(ByteArrayCodec.INSTANCE, null);
  }

  @Override
  public void set(long number) {
    put(number);
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    put(bytes == null ? null : codec.decodeValue(bytes));
  }

  @Override
  public void setSingle(@Nullable ByteBuffer bytes) {
    set(bytes);
  }

  @Override
  public void multi(int size) {
    List<@Nullable Object> list = new ArrayList<>();
    put(list);
    if (size > 0) {
      lists.push(new Open(list, size));
    }
  }

  @SuppressWarnings("NullAway") // As above.
  private void put(@Nullable Object value) {
    Open open = lists.peek();
    if (open == null) {
      output = value;
      return;
    }
    open.list.add(value);
    if (open.list.size() == open.size) {
      lists.pop();
    }
  }
}
