package io.holdfast.zookeeper.layout;

import io.holdfast.spi.Owner;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.OwnerText;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The data of a ticket's node.
 *
 * <p>Most of it is for people. The recorded grant decides which tickets are granted after a
 * semaphore was resized.
 *
 * @param lease the timeout of the session that the ticket lives on
 */
public record TicketData(int generation, Duration lease, RecordedGrant grant, Owner owner) {

  private static final int PARTS = 4;

  /** Returns the data of a ticket's node with this grant. */
  public static byte[] write(Ticket ticket, RecordedGrant grant) {
    return new TicketData(ticket.generation(), ticket.lease(), grant, ticket.owner()).bytes();
  }

  /** Returns the data of a mutex with this token that stays for a time without its client. */
  public static byte[] writeKept(Ticket ticket, long token, Duration keep) {
    RecordedGrant grant = RecordedGrant.at(Token.counter(token));
    return new TicketData(Token.generation(token), keep, grant, ticket.owner()).bytes();
  }

  /**
   * Returns the data that another client writes to a node only to signal a change: its meaning is
   * the same.
   */
  public static byte[] rewrite(ZooKeeperConnection.Node node) {
    TicketData data = parse(node.data());
    if (data.grant.source() != RecordedGrant.Source.THIS_WRITE) {
      return node.data();
    }
    RecordedGrant stated = RecordedGrant.at(data.grant.zxid(node.stat()));
    return new TicketData(data.generation, data.lease, stated, data.owner).bytes();
  }

  private byte[] bytes() {
    return (generation
            + "\n"
            + lease.toMillis()
            + "\n"
            + grant.text()
            + "\n"
            + OwnerText.write(owner))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Parses what {@link #write} wrote; the text of another program is taken as the owner. */
  public static TicketData parse(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    String[] parts = text.split("\n", PARTS);
    if (parts.length == PARTS && parts[0].matches("\\d{1,3}") && parts[1].matches("\\d{1,12}")) {
      return new TicketData(
          Integer.parseInt(parts[0]),
          Duration.ofMillis(Long.parseLong(parts[1])),
          RecordedGrant.parse(parts[2]),
          OwnerText.read(parts[3]));
    }
    return new TicketData(0, Duration.ZERO, RecordedGrant.NONE, OwnerText.read(text));
  }

  /** Returns the token of a ticket by its node, if the ticket is granted. */
  public static long token(ZooKeeperConnection.Node node) {
    TicketData data = parse(node.data());
    return Token.of(data.generation, data.grant.zxid(node.stat()));
  }
}
