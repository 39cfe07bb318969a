package io.holdfast.server.http;

import io.holdfast.spi.Ticket;
import io.holdfast.spi.wire.MalformedMessageException;
import io.holdfast.spi.wire.MessageReader;
import io.holdfast.spi.wire.MessageWriter;
import io.holdfast.spi.wire.VerbMessage;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tickets as texts that clients keep and cannot change: the whole ticket, and a code that only
 * servers with the same key can make.
 *
 * <p>So a server remembers no ticket, and a ticket works at each server of the service.
 */
public final class SealedTickets {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int CODE_BYTES = 32;
  private static final byte VERSION = 1;

  private final SecretKeySpec key;

  /**
   * Creates it.
   *
   * @param key random bytes that all servers of the service share
   */
  public SealedTickets(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  String seal(Ticket ticket) {
    MessageWriter out = new MessageWriter(VERSION);
    new VerbMessage.Renew(ticket).write(out);
    byte[] message = out.toBytes();
    byte[] text = Arrays.copyOf(message, message.length + CODE_BYTES);
    System.arraycopy(code(message, message.length), 0, text, message.length, CODE_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
  }

  /**
   * Returns the ticket of a text.
   *
   * @throws ProblemException when no server with this key has made it; the text is not quoted
   */
  Ticket open(String text) throws ProblemException {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text);
      int length = bytes.length - CODE_BYTES;
      if (length > 0
          && bytes[0] == VERSION
          && MessageDigest.isEqual(
              code(bytes, length), Arrays.copyOfRange(bytes, length, bytes.length))) {
        return VerbMessage.read(new MessageReader(ByteBuffer.wrap(bytes, 1, length - 1))).ticket();
      }
    } catch (IllegalArgumentException | MalformedMessageException e) {
      // It is none, as below.
    }
    throw new ProblemException(
        Problem.malformed(
            "a ticket is not one of this service: send it as it was received; servers of one"
                + " service need the same key file"));
  }

  private byte[] code(byte[] bytes, int length) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(bytes, 0, length);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }
}
