package io.holdfast.zookeeper.layout;

import io.holdfast.spi.Refusals;
import io.holdfast.spi.Ticket;
import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.connection.StoreErrors.EngineFailure;
import io.holdfast.zookeeper.connection.ZooKeeperConnection;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of namespaces, whose data is the highest generation that was used.
 *
 * <p>A join checks the known version of this node in its own transaction, so no ticket joins with
 * an outdated generation. Safe for several threads.
 */
public final class Namespaces {

  /** The generation of a namespace and the version of the node that states it. */
  public record Generation(int number, int version) {}

  private static final int TRIES = 20;

  private final ZooKeeperConnection connection;
  private final Paths paths;
  private final ConcurrentHashMap<String, Generation> known = new ConcurrentHashMap<>();

  public Namespaces(ZooKeeperConnection connection, Paths paths) {
    this.connection = connection;
    this.paths = paths;
  }

  /** Returns the path of the ticket's line. */
  public String line(Ticket ticket) {
    return paths.line(ticket.resource());
  }

  /** Returns the path of the ticket's namespace. */
  public String path(Ticket ticket) {
    return paths.namespace(ticket.resource().namespace());
  }

  /** Returns the known generation, if it is that of the ticket; null: {@link #enter} must ask. */
  public @Nullable Generation known(Ticket ticket) {
    Generation last = known.get(ticket.resource().namespace());
    return last != null && last.number == ticket.generation() ? last : null;
  }

  /** Forgets a generation that turned out to be outdated. */
  public void forget(Ticket ticket) {
    known.remove(ticket.resource().namespace());
  }

  /**
   * Creates the namespace if it is missing and raises its generation to that of the ticket. Refuses
   * a ticket of a lower generation.
   */
  public CompletableFuture<Generation> enter(Ticket ticket, Refusals refusals) {
    Generation last = known(ticket);
    return last != null ? CompletableFuture.completedFuture(last) : enter(ticket, refusals, TRIES);
  }

  private CompletableFuture<Generation> enter(Ticket ticket, Refusals refusals, int tries) {
    return Futures.then(
        connection.read(path(ticket)),
        node -> raise(ticket, node, refusals, tries),
        failure ->
            StoreErrors.code(failure) == Code.NONODE && tries > 0
                ? create(ticket, refusals, tries)
                : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Generation> create(Ticket ticket, Refusals refusals, int tries) {
    return Futures.then(
        connection.create(path(ticket), text(0), CreateMode.PERSISTENT),
        created -> enter(ticket, refusals, tries - 1),
        failure ->
            StoreErrors.code(failure) == Code.NODEEXISTS
                ? enter(ticket, refusals, tries - 1)
                : CompletableFuture.failedFuture(failure));
  }

  private CompletableFuture<Generation> raise(
      Ticket ticket, ZooKeeperConnection.Node node, Refusals refusals, int tries) {
    int stored = parse(node.data());
    int version = node.stat().getVersion();
    if (ticket.generation() < stored) {
      remember(ticket, stored, version);
      return CompletableFuture.failedFuture(new EngineFailure(refusals.generation(ticket, stored)));
    }
    if (ticket.generation() == stored) {
      return CompletableFuture.completedFuture(remember(ticket, stored, version));
    }
    return Futures.then(
        connection.setData(path(ticket), text(ticket.generation()), version),
        stat ->
            CompletableFuture.completedFuture(
                remember(ticket, ticket.generation(), stat.getVersion())),
        failure ->
            StoreErrors.code(failure) == Code.BADVERSION && tries > 0
                ? enter(ticket, refusals, tries - 1)
                : CompletableFuture.failedFuture(failure));
  }

  private Generation remember(Ticket ticket, int number, int version) {
    Generation generation = new Generation(number, version);
    known.put(ticket.resource().namespace(), generation);
    return generation;
  }

  private static byte[] text(int generation) {
    return Integer.toString(generation).getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the generation that a node states; 0 if the data was written by another program. */
  private static int parse(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    return text.matches("\\d{1,3}") ? Integer.parseInt(text) : 0;
  }
}
