package io.holdfast.zookeeper;

import io.holdfast.spi.Owner;
import io.holdfast.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What is in the node of a ticket. Most of it is for people; what it says of an entry decides who
 * is in after a semaphore was resized, see {@link Permits}.
 *
 * @param lease how long the session lasts that it belongs to
 */
record SeatData(int generation, Duration lease, Entered entered, Owner owner) {

  private static final int PARTS = 4;

  static byte[] write(Ticket ticket, Entered entered) {
    return new SeatData(ticket.generation(), ticket.lease(), entered, ticket.owner()).bytes();
  }

  /** What another one writes to a node to say that something has changed: the same. */
  static byte[] again(Wire.Node node) {
    SeatData data = read(node.data());
    if (data.entered.how() != Entered.How.WITH_THIS) {
      return node.data();
    }
    Entered stated = Entered.at(data.entered.number(node.stat()));
    return new SeatData(data.generation, data.lease, stated, data.owner).bytes();
  }

  private byte[] bytes() {
    return (generation
            + "\n"
            + lease.toMillis()
            + "\n"
            + entered.text()
            + "\n"
            + OwnerText.write(owner))
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
          Entered.read(parts[2]),
          OwnerText.read(parts[3]));
    }
    return new SeatData(0, Duration.ZERO, Entered.NO, OwnerText.read(text));
  }
}
