package io.holdfast.zookeeper;

import io.holdfast.spi.Refusals;
import io.holdfast.spi.Ticket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of namespaces, whose data is the highest generation that was seen. A join checks the
 * version that it knows in its own transaction, so that nobody joins in a generation that is over.
 */
final class Namespaces {

  /** What is known of a namespace. */
  record Age(int generation, int version) {}

  private static final int TRIES = 20;

  private final Wire wire;
  private final Layout layout;
  private final ConcurrentHashMap<String, Age> known = new ConcurrentHashMap<>();

  Namespaces(Wire wire, Layout layout) {
    this.wire = wire;
    this.layout = layout;
  }

  String line(Ticket ticket) {
    return layout.line(ticket.resource());
  }

  String path(Ticket ticket) {
    return layout.namespace(ticket.resource().namespace());
  }

  /** What is known, if it is the ticket's generation: then nothing need be asked. */
  @Nullable Age known(Ticket ticket) {
    Age age = known.get(ticket.resource().namespace());
    return age != null && age.generation == ticket.generation() ? age : null;
  }

  void forget(Ticket ticket) {
    known.remove(ticket.resource().namespace());
  }

  /** Sees to it that the namespace is there and of the ticket's generation, or refuses. */
  CompletableFuture<Age> enter(Ticket ticket, Refusals refusals) {
    Age age = known(ticket);
    return age != null ? CompletableFuture.completedFuture(age) : enter(ticket, refusals, TRIES);
  }

  private CompletableFuture<Age> enter(Ticket ticket, Refusals refusals, int tries) {
    return Passing.then(
        wire.data(path(ticket), null),
        node -> settle(ticket, node, refusals, tries),
        failure ->
            Words.code(failure) == Code.NONODE && tries > 0
                ? create(ticket, refusals, tries)
                : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Age> create(Ticket ticket, Refusals refusals, int tries) {
    return Passing.then(
        wire.create(path(ticket), text(0), CreateMode.PERSISTENT),
        made -> enter(ticket, refusals, tries - 1),
        failure ->
            Words.code(failure) == Code.NODEEXISTS
                ? enter(ticket, refusals, tries - 1)
                : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Age> settle(
      Ticket ticket, Wire.Node node, Refusals refusals, int tries) {
    int stored = generation(node.data());
    int version = node.stat().getVersion();
    if (ticket.generation() < stored) {
      known.put(ticket.resource().namespace(), new Age(stored, version));
      return CompletableFuture.failedFuture(new Words.Told(refusals.generation(ticket, stored)));
    }
    if (ticket.generation() == stored) {
      return CompletableFuture.completedFuture(knows(ticket, version));
    }
    return Passing.then(
        wire.setData(path(ticket), text(ticket.generation()), version),
        stat -> CompletableFuture.completedFuture(knows(ticket, stat.getVersion())),
        failure ->
            Words.code(failure) == Code.BADVERSION && tries > 0
                ? enter(ticket, refusals, tries - 1)
                : CompletableFuture.failedFuture(failure));
  }

  private Age knows(Ticket ticket, int version) {
    Age age = new Age(ticket.generation(), version);
    known.put(ticket.resource().namespace(), age);
    return age;
  }

  private static byte[] text(int generation) {
    return Integer.toString(generation).getBytes(StandardCharsets.US_ASCII);
  }

  /** What is not a number is not ours, and says nothing. */
  static int generation(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    return text.matches("\\d{1,3}") ? Integer.parseInt(text) : 0;
  }
}
