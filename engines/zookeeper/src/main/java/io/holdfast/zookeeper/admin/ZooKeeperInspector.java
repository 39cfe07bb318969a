package io.holdfast.zookeeper.admin;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.InspectorArguments;
import io.holdfast.zookeeper.connection.Futures;
import io.holdfast.zookeeper.connection.StoreErrors;
import io.holdfast.zookeeper.layout.ChildName;
import io.holdfast.zookeeper.layout.NamespaceListing;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.TicketData;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.Sessions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * Lists, shows, revokes and evicts for operators.
 *
 * <p>A line is shown as one list of its children shows it; the owners of its tickets are read after
 * that. Listing a namespace lists the children of one node, and then reads each line of the page.
 */
public final class ZooKeeperInspector implements EngineInspector {

  /** How often a ticket is read again because it was written to after it was read. */
  private static final int MAX_TRIES = 20;

  private final Sessions sessions;
  private final Paths paths;
  private final LineReader reader;
  private final StoreErrors errors;
  private final long timeoutNanos;

  public ZooKeeperInspector(Sessions sessions, Paths paths, StoreErrors errors, long timeoutNanos) {
    this.sessions = sessions;
    this.paths = paths;
    this.reader = new LineReader(paths);
    this.errors = errors;
    this.timeoutNanos = timeoutNanos;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException {
    InspectorArguments.requirePage(namespace, limit);
    List<String> names = names(namespace, prefix, after);
    List<LineView> page = new ArrayList<>();
    // Empty lines wait for the store to remove them: other lines fill the page.
    for (int from = 0; from < names.size() && page.size() < limit; from += limit) {
      List<String> some = names.subList(from, Math.min(names.size(), from + limit));
      List<CompletableFuture<Optional<LineView>>> views = new ArrayList<>();
      Session session = sessions.require();
      for (String name : some) {
        views.add(reader.read(session, new Resource(namespace, name)));
      }
      for (CompletableFuture<Optional<LineView>> view : views) {
        get(view, namespace).ifPresent(page::add);
      }
    }
    return page.subList(0, Math.min(limit, page.size()));
  }

  private List<String> names(String namespace, String prefix, String after) throws EngineException {
    CompletableFuture<List<String>> children =
        Futures.valueIf(
            NamespaceListing.of(sessions.require().connection(), paths.namespace(namespace)),
            Code.NONODE,
            List.of());
    List<String> names = new ArrayList<>();
    for (String part : get(children, namespace)) {
      name(part)
          .filter(name -> name.startsWith(prefix) && order(name, after) > 0)
          .ifPresent(names::add);
    }
    names.sort(ZooKeeperInspector::order);
    return names;
  }

  /** Returns the name of a node; empty for a node of another program. */
  private static Optional<String> name(String part) {
    try {
      return Optional.of(Paths.decode(part));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static int order(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Optional<LineView> show(Resource resource) throws EngineException {
    return get(reader.read(sessions.require(), resource), resource.toString());
  }

  @Override
  public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
    return endHold(resource, token, reason, false);
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) throws EngineException {
    return endHold(resource, token, reason, true);
  }

  private Verdict endHold(Resource resource, long token, String reason, boolean evict)
      throws EngineException {
    InspectorArguments.requireReason(resource, reason);
    Session session = sessions.require();
    return get(endHold(session, resource, token, reason, evict, MAX_TRIES), resource.toString());
  }

  private CompletableFuture<Verdict> endHold(
      Session session, Resource resource, long token, String reason, boolean evict, int tries) {
    return reader
        .holders(session, resource)
        .thenCompose(
            holders ->
                holders.stream()
                    .filter(holder -> Token.grant(holder.token()) == Token.grant(token))
                    .findFirst()
                    .map(holder -> endHold(session, paths.line(resource), holder, reason, evict))
                    .orElse(CompletableFuture.completedFuture(Verdict.NOT_CURRENT)))
        .exceptionallyCompose(
            failure ->
                tries > 0 && StoreErrors.code(failure) == Code.BADVERSION
                    ? endHold(session, resource, token, reason, evict, tries - 1)
                    : CompletableFuture.failedFuture(failure));
  }

  /**
   * Writes the operator's record, and deletes or writes to the ticket's node, in one step. The
   * holder watches its node, so it is notified at once. The write does not change the node's
   * meaning.
   */
  private CompletableFuture<Verdict> endHold(
      Session session, String line, LineReader.Holder holder, String reason, boolean evict) {
    String node = line + "/" + holder.ticket().name();
    String record = line + "/" + ChildName.ofRevocation(holder.ticket().place());
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    List<Op> steps = new ArrayList<>();
    steps.add(
        evict
            ? Op.delete(node, -1)
            : Op.setData(
                node, TicketData.rewrite(holder.node()), holder.node().stat().getVersion()));
    if (evict) {
      holder.kept().ifPresent(kept -> steps.add(Op.delete(line + "/" + kept.name(), -1)));
    }
    steps.add(
        holder.revoked()
            ? Op.setData(record, text, -1)
            : session.connection().createOp(record, text, CreateMode.PERSISTENT));
    return Futures.valueIf(
        session.connection().transaction(steps).thenApply(done -> Verdict.DONE),
        Code.NONODE,
        Verdict.NOT_CURRENT);
  }

  private <T> T get(CompletableFuture<T> reply, String about) throws EngineException {
    return errors.await(reply, timeoutNanos, about);
  }
}
