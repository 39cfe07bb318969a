package io.holdfast.spi.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** Writes a message into memory: numbers are big-endian, texts are UTF-8 after their length. */
public final class MessageWriter {

  private static final int FIRST_SIZE = 256;

  private byte[] bytes = new byte[FIRST_SIZE];
  private int size;

  /**
   * Begins a message.
   *
   * @param type see {@link Wire}
   */
  public MessageWriter(byte type) {
    put(type);
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }

  /** Writes one byte. */
  public MessageWriter put(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
    return this;
  }

  /** Writes a flag. */
  public MessageWriter put(boolean value) {
    return put(value ? 1 : 0);
  }

  /** Writes an int. */
  public MessageWriter putInt(int value) {
    reserve(Integer.BYTES);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >> shift);
    }
    return this;
  }

  /** Writes a long. */
  public MessageWriter putLong(long value) {
    reserve(Long.BYTES);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >> shift);
    }
    return this;
  }

  /** Writes a duration in nanoseconds; what is longer than 292 years is written as that. */
  public MessageWriter put(Duration value) {
    return putLong(nanos(value));
  }

  private static long nanos(Duration value) {
    try {
      return value.toNanos();
    } catch (ArithmeticException e) {
      return value.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }

  /** Writes a text. */
  public MessageWriter put(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    putInt(encoded.length);
    reserve(encoded.length);
    System.arraycopy(encoded, 0, bytes, size, encoded.length);
    size += encoded.length;
    return this;
  }

  /** Overwrites an int, such as a count that was not known before. */
  public void setInt(int position, int value) {
    ByteBuffer.wrap(bytes).putInt(position, value);
  }

  /** Returns how many bytes were written. */
  public int size() {
    return size;
  }

  /** Returns a copy of the message. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Returns the message without copying it: write nothing more. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(bytes, 0, size);
  }
}
