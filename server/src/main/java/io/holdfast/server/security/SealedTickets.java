package io.holdfast.server.security;

import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Turns tickets into opaque text for clients that keep nothing but that text, and back.
 *
 * <p>The text is Base64url of the whole ticket, the principal that it was made for, and an
 * HMAC-SHA-256 over both with a key that all replicas share. So a replica needs no memory of a
 * ticket, and a client can change nothing in it: not the lock, the weight, the lease or the
 * generation. Another principal cannot use it. Its text is a secret like the ticket: it belongs
 * into headers and bodies, never into an address or a log. Thread-safe.
 */
public final class SealedTickets {

  static final String HMAC = "HmacSHA256";

  private static final String PURPOSE = "holdfast sealed ticket 1";
  private static final int VERSION = 1;
  private static final int MAC_BYTES = 32;
  private static final int LONGEST = 16 * 1024;

  /** The result of {@link #open}. */
  public sealed interface Opened {

    /** The ticket, exactly as it was sealed. */
    record Whole(Ticket ticket) implements Opened {}

    /** The text is no ticket of this service and principal. */
    record Rejected(Refusal refusal) implements Opened {}
  }

  private final List<SecretKeySpec> keys;

  public SealedTickets(KeyFile keys) {
    this.keys = keys.derive(PURPOSE);
  }

  /**
   * Returns the ticket as opaque text for this principal alone.
   *
   * @throws IllegalArgumentException when the owner of the ticket is too long: write it by {@code
   *     OwnerText} first
   */
  public String seal(Ticket ticket, Principal principal) {
    byte[] content = write(ticket, principal.name());
    byte[] whole = Arrays.copyOf(content, content.length + MAC_BYTES);
    System.arraycopy(mac(keys.get(0), content), 0, whole, content.length, MAC_BYTES);
    String text = Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "the owner of a ticket must be shorter: sealed="
              + text.length()
              + " most="
              + LONGEST
              + " resource="
              + ticket.resource());
    }
    return text;
  }

  /** Returns the ticket of a text, if this service sealed it for this principal. */
  public Opened open(String text, Principal principal) {
    Optional<byte[]> content = verified(text);
    if (content.isEmpty()) {
      return rejected(
          Refusal.malformed(
              "the ticket was not made by this service, or was changed or cut off:"
                  + " send it exactly as it was received"));
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content.get()))) {
      if (in.readUnsignedByte() != VERSION) {
        return rejected(Refusal.malformed("the ticket was made by a newer version of the service"));
      }
      if (!in.readUTF().equals(principal.name())) {
        return rejected(
            Refusal.forbidden("the ticket was made for another principal than " + principal));
      }
      return new Opened.Whole(readTicket(in));
    } catch (IOException e) {
      throw new IllegalStateException("a verified ticket is whole", e);
    }
  }

  private static Opened rejected(Refusal refusal) {
    return new Opened.Rejected(refusal);
  }

  private Optional<byte[]> verified(String text) {
    if (text.length() > LONGEST) {
      return Optional.empty();
    }
    byte[] whole;
    try {
      whole = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    if (whole.length <= MAC_BYTES || !encoded(whole).equals(text)) {
      return Optional.empty();
    }
    byte[] content = Arrays.copyOf(whole, whole.length - MAC_BYTES);
    byte[] its = Arrays.copyOfRange(whole, content.length, whole.length);
    boolean sealed = false;
    for (SecretKeySpec key : keys) {
      sealed |= MessageDigest.isEqual(mac(key, content), its);
    }
    return sealed ? Optional.of(content) : Optional.empty();
  }

  /** One ticket has one text: spare bits and padding, which the decoder ignores, are changes. */
  private static String encoded(byte[] whole) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
  }

  private static byte[] mac(SecretKeySpec key, byte[] content) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      return mac.doFinal(content);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + HMAC, e);
    }
  }

  private static byte[] write(Ticket ticket, String principal) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeUTF(principal);
      out.writeLong(ticket.id().high());
      out.writeLong(ticket.id().low());
      out.writeLong(ticket.id().number());
      out.writeUTF(ticket.resource().namespace());
      out.writeUTF(ticket.resource().name());
      out.writeUTF(ticket.shape().kind().name());
      out.writeInt(ticket.shape().capacity());
      out.writeUTF(ticket.shape().order().name());
      out.writeInt(ticket.weight());
      out.writeLong(ticket.lease().toNanos());
      out.writeInt(ticket.generation());
      out.writeBoolean(ticket.waits());
      out.writeBoolean(ticket.fixed());
      out.writeUTF(ticket.owner().app());
      out.writeUTF(ticket.owner().host());
      out.writeLong(ticket.owner().pid());
      out.writeUTF(ticket.owner().thread());
      out.writeUTF(ticket.owner().text());
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "the owner of a ticket must be shorter: resource=" + ticket.resource(), e);
    }
    return bytes.toByteArray();
  }

  private static Ticket readTicket(DataInputStream in) throws IOException {
    Ticket.Id id = new Ticket.Id(in.readLong(), in.readLong(), in.readLong());
    Resource resource = new Resource(in.readUTF(), in.readUTF());
    Shape shape =
        new Shape(Shape.Kind.valueOf(in.readUTF()), in.readInt(), Order.valueOf(in.readUTF()));
    int weight = in.readInt();
    Duration lease = Duration.ofNanos(in.readLong());
    int generation = in.readInt();
    boolean waits = in.readBoolean();
    boolean fixed = in.readBoolean();
    Owner owner = new Owner(in.readUTF(), in.readUTF(), in.readLong(), in.readUTF(), in.readUTF());
    return new Ticket(id, resource, shape, weight, lease, generation, waits, owner, fixed);
  }
}
