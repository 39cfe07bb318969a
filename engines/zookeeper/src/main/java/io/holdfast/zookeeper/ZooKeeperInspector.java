package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;

/**
 * The operator's side of a ZooKeeper store. A line is seen as one list of its children shows it;
 * who its tickets belong to is read after that. To list a namespace is to list the children of one
 * node, and then to look at each line of the page.
 */
final class ZooKeeperInspector implements EngineInspector {

  /** How often a ticket is read again that was written to since it was read. */
  private static final int TRIES = 20;

  private final Sessions sessions;
  private final Layout layout;
  private final LineReader reader;
  private final Words words;
  private final long patienceNanos;

  ZooKeeperInspector(
      Sessions sessions, Layout layout, LineReader reader, Words words, long patienceNanos) {
    this.sessions = sessions;
    this.layout = layout;
    this.reader = reader;
    this.words = words;
    this.patienceNanos = patienceNanos;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException {
    Resource.requireNamespace(namespace);
    if (limit < 1 || limit > MAX_PAGE) {
      throw new IllegalArgumentException("limit must be 1.." + MAX_PAGE + ": limit=" + limit);
    }
    List<String> names = names(namespace, prefix, after);
    List<LineView> page = new ArrayList<>();
    // Lines may be empty, and wait for the store to remove them: the page is filled up with others.
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
        Listing.of(sessions.require().wire(), layout.namespace(namespace))
            .exceptionallyCompose(
                failure ->
                    Words.code(failure) == Code.NONODE
                        ? CompletableFuture.completedFuture(List.of())
                        : CompletableFuture.failedFuture(failure));
    List<String> names = new ArrayList<>();
    for (String part : get(children, namespace)) {
      name(part)
          .filter(name -> name.startsWith(prefix) && order(name, after) > 0)
          .ifPresent(names::add);
    }
    names.sort(ZooKeeperInspector::order);
    return names;
  }

  /** What is not ours is left out of the list. */
  private static Optional<String> name(String part) {
    try {
      return Optional.of(Layout.decode(part));
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
    return take(resource, token, reason, false);
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) throws EngineException {
    return take(resource, token, reason, true);
  }

  private Verdict take(Resource resource, long token, String reason, boolean out)
      throws EngineException {
    if (reason.isBlank()) {
      throw new IllegalArgumentException(
          "the holder must be told why: state a reason for " + resource);
    }
    Session session = sessions.require();
    return get(take(session, resource, token, reason, out, TRIES), resource.toString());
  }

  private CompletableFuture<Verdict> take(
      Session session, Resource resource, long token, String reason, boolean out, int tries) {
    Function<LineReader.Holder, CompletableFuture<Verdict>> tell =
        holder -> tell(session, layout.line(resource), holder, reason, out);
    return reader
        .holders(session, resource)
        .thenCompose(
            holders ->
                holders.stream()
                    .filter(holder -> Token.grant(holder.token()) == Token.grant(token))
                    .findFirst()
                    .map(tell)
                    .orElse(CompletableFuture.completedFuture(Verdict.NOT_CURRENT)))
        .exceptionallyCompose(
            failure ->
                tries > 0 && Words.code(failure) == Code.BADVERSION
                    ? take(session, resource, token, reason, out, tries - 1)
                    : CompletableFuture.failedFuture(failure));
  }

  /**
   * The word, and the ticket's end or a write to its node, in one step. The holder watches its
   * node, so it learns of either at once. The write says what the node said before.
   */
  private CompletableFuture<Verdict> tell(
      Session session, String line, LineReader.Holder holder, String reason, boolean out) {
    String node = line + "/" + holder.seat().name();
    String word = line + "/" + Child.revoked(holder.seat().place());
    byte[] text = reason.getBytes(StandardCharsets.UTF_8);
    List<Op> steps = new ArrayList<>();
    steps.add(
        out
            ? Op.delete(node, -1)
            : Op.setData(node, SeatData.again(holder.node()), holder.node().stat().getVersion()));
    steps.add(
        holder.revoked()
            ? Op.setData(word, text, -1)
            : session.wire().creates(word, text, CreateMode.PERSISTENT));
    return session
        .wire()
        .multi(steps)
        .thenApply(done -> Verdict.DONE)
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? CompletableFuture.completedFuture(Verdict.NOT_CURRENT)
                    : CompletableFuture.failedFuture(failure));
  }

  private <T> T get(CompletableFuture<T> answer, String about) throws EngineException {
    try {
      return answer.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw words.of(e.getCause() == null ? e : e.getCause(), about);
    } catch (TimeoutException e) {
      throw new EngineException.Unknown("no answer from " + words.store(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException.Unknown("interrupted at " + words.store(), e);
    }
  }
}
