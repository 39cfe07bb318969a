package io.holdfast.redis.admin;

import io.holdfast.redis.connection.LaneConnection;
import io.holdfast.redis.connection.ReplyWords;
import io.holdfast.redis.connection.Script;
import io.holdfast.redis.connection.ScriptCall;
import io.holdfast.redis.connection.ScriptReply;
import io.holdfast.redis.layout.ForeignRecords;
import io.holdfast.redis.layout.Keys;
import io.holdfast.redis.layout.LineSnapshot;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import io.holdfast.spi.support.InspectorArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lists, shows, revokes and evicts the locks of a Redis store.
 *
 * <p>Each resource is read by one script, so that its line is a snapshot of one moment. Listing
 * goes through all keys of every master in small steps: it does not block the server, but takes its
 * time on a large one.
 */
public final class RedisInspector implements EngineInspector {

  private static final Script SHOW =
      Script.reading(
          "layout/all-keys",
          "layout/clock",
          "layout/time",
          "layout/any-waiters",
          "layout/line",
          "admin/show");

  private static final Script REVOKE =
      Script.keeping(
          "layout/all-keys",
          "layout/clock",
          "layout/time",
          "layout/any-waiters",
          "layout/line",
          "admin/find-holder",
          "admin/notify-holders",
          "admin/revoke");

  private static final Script EVICT =
      Script.keeping(
          "layout/all-keys",
          "layout/clock",
          "layout/time",
          "layout/any-release",
          "layout/any-waiters",
          "layout/line",
          "admin/find-holder",
          "admin/notify-holders",
          "admin/evict");

  /** How many lines are read in one trip: a reply is as long as its line. */
  private static final int AT_ONCE = 100;

  private final AdminConnections connections;
  private final ForeignRecords foreign;
  private final String publish;

  /**
   * Creates an inspector.
   *
   * @param publish the command that signals waiters
   */
  public RedisInspector(AdminConnections connections, ForeignRecords foreign, String publish) {
    this.connections = connections;
    this.foreign = foreign;
    this.publish = publish;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException {
    InspectorArguments.requirePage(namespace, limit);
    ResourceScan scan = new ResourceScan(namespace, prefix);
    List<LineView> page = new ArrayList<>();
    String from = after;
    // A line may be gone when it is read, and a short page would look like the last one.
    while (page.size() < limit) {
      List<Resource> found = find(scan, from, limit - page.size());
      if (found.isEmpty()) {
        break;
      }
      page.addAll(views(found));
      from = found.get(found.size() - 1).name();
    }
    return page;
  }

  private List<Resource> find(ResourceScan scan, String after, int limit) throws EngineException {
    List<LaneConnection> masters = connections.openAll();
    try {
      return scan.first(masters, after, limit);
    } finally {
      masters.forEach(LaneConnection::close);
    }
  }

  private List<LineView> views(List<Resource> resources) throws EngineException {
    List<LineView> views = new ArrayList<>(resources.size());
    try (LaneConnection connection = connections.open()) {
      for (int from = 0; from < resources.size(); from += AT_ONCE) {
        List<Resource> some = resources.subList(from, Math.min(resources.size(), from + AT_ONCE));
        List<ScriptCall> calls = some.stream().map(each -> call(SHOW, each)).toList();
        List<ScriptReply> replies = connection.run(calls);
        for (int i = 0; i < some.size(); i++) {
          // Foreign keys are left out of the list; show reports them by name.
          LineSnapshot.view(some.get(i), ReplyWords.of(replies.get(i))).ifPresent(views::add);
        }
      }
    }
    return views;
  }

  @Override
  public Optional<LineView> show(Resource resource) throws EngineException {
    ReplyWords words = run(call(SHOW, resource));
    if (LineSnapshot.isForeign(words)) {
      throw foreign.inTheWay(resource, words.text(1));
    }
    return LineSnapshot.view(resource, words);
  }

  @Override
  public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
    return take(REVOKE, resource, token, reason);
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) throws EngineException {
    return take(EVICT, resource, token, reason);
  }

  private Verdict take(Script script, Resource resource, long token, String reason)
      throws EngineException {
    InspectorArguments.requireReason(resource, reason);
    long granted = token - token % (Token.MAX_HAND_OVERS + 1);
    ScriptCall call = call(script, resource, Long.toString(granted), reason, publish);
    return run(call).number(0) == 1 ? Verdict.DONE : Verdict.NOT_CURRENT;
  }

  private ReplyWords run(ScriptCall call) throws EngineException {
    try (LaneConnection connection = connections.open()) {
      return ReplyWords.of(connection.run(List.of(call)).get(0));
    }
  }

  private static ScriptCall call(Script script, Resource resource, String... args) {
    return ScriptCall.of(script, Keys.ofResource(resource), args);
  }
}
