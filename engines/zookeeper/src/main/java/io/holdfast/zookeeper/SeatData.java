package io.holdfast.zookeeper;

import io.holdfast.spi.Owner;
import io.holdfast.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What is in the node of a ticket, for people: nothing here decides who is in.
 *
 * @param lease how long the session lasts that it belongs to
 */
record SeatData(int generation, Duration lease, Owner owner) {

  private static final int PARTS = 3;

  static byte[] write(Ticket ticket) {
    return (ticket.generation()
            + "\n"
            + ticket.lease().toMillis()
            + "\n"
            + OwnerText.write(ticket.owner()))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Reads what {@link #write} wrote, and shows what somebody else wrote. */
  static SeatData read(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    String[] parts = text.split("\n", PARTS);
    if (parts.length == PARTS && parts[0].matches("\\d{1,3}") && parts[1].matches("\\d{1,12}")) {
      return new SeatData(
          Integer.parseInt(parts[0]),
          Duration.ofMillis(Long.parseLong(parts[1])),
          OwnerText.read(parts[2]));
    }
    return new SeatData(0, Duration.ZERO, OwnerText.read(text));
  }
}
