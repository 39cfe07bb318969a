package io.holdfast.examples;

import io.holdfast.Holdfast;
import io.holdfast.ids.IdBlock;
import io.holdfast.ids.Ids;
import io.holdfast.ids.LongIds;
import io.holdfast.ids.UuidIds;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** Ids for many machines: from the clock and a leased worker number, in blocks, one by one. */
public final class UniqueIds {

  private UniqueIds() {}

  /** Makes some of each. */
  public static void main(String[] args) {
    // region docs
    try (Holdfast holdfast = Holdfast.connect("memory:");
        LongIds orders = Ids.over(holdfast).timeline("orders");
        LongIds events = Ids.over(holdfast).segment("events");
        LongIds invoices = Ids.over(holdfast).counter("invoices")) {
      long order = orders.next(); // no trip to the store
      System.out.println("order ids rise: " + (orders.next() > order));
      Instant made = orders.describe(order).time().orElseThrow();

      IdBlock block = events.block(100); // a hundred in a row, out of blocks fetched ahead
      System.out.println("event ids: " + block.ids().distinct().count());
      System.out.println("without the store for: " + events.supply().left().isPresent());

      long invoice = invoices.next(); // one trip each, in strict order over all machines
      System.out.println("invoice ids follow: " + (invoices.next() > invoice));
      // endregion
      Duration age = Duration.between(made, Instant.now());
      System.out.println("made just now: " + (age.abs().compareTo(Duration.ofMinutes(1)) < 0));
    }
    UuidIds uuids = Ids.uuid7();
    UUID first = uuids.next();
    System.out.println("uuids rise: " + (first.toString().compareTo(uuids.next().toString()) < 0));
  }
}
