package io.holdfast.spi.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Reads what {@link MessageWriter} has written, and checks it: the sender may be anybody. */
public final class MessageReader {

  private final ByteBuffer bytes;

  /** Reads the remaining bytes of the buffer, which the caller does not use meanwhile. */
  public MessageReader(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /** Reads one byte. */
  public byte get() throws MalformedMessageException {
    try {
      return bytes.get();
    } catch (BufferUnderflowException e) {
      throw tooShort(e);
    }
  }

  /** Reads a flag. */
  public boolean getFlag() throws MalformedMessageException {
    return get() != 0;
  }

  /** Reads an int. */
  public int getInt() throws MalformedMessageException {
    try {
      return bytes.getInt();
    } catch (BufferUnderflowException e) {
      throw tooShort(e);
    }
  }

  /** Reads a number of elements, none of which is empty. */
  public int getCount() throws MalformedMessageException {
    int count = getInt();
    if (count < 0 || count > bytes.remaining()) {
      throw new MalformedMessageException("a count does not fit into its message: " + count);
    }
    return count;
  }

  /** Reads a long. */
  public long getLong() throws MalformedMessageException {
    try {
      return bytes.getLong();
    } catch (BufferUnderflowException e) {
      throw tooShort(e);
    }
  }

  /** Reads a duration. */
  public Duration getDuration() throws MalformedMessageException {
    return Duration.ofNanos(getLong());
  }

  /** Reads a text. */
  public String getText() throws MalformedMessageException {
    int length = getCount();
    ByteBuffer encoded = bytes.slice().limit(length);
    bytes.position(bytes.position() + length);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(encoded).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedMessageException("a text is not UTF-8", e);
    }
  }

  /** Returns whether something is left. */
  public boolean hasMore() {
    return bytes.hasRemaining();
  }

  private static MalformedMessageException tooShort(BufferUnderflowException e) {
    return new MalformedMessageException("a message ends too early", e);
  }
}
