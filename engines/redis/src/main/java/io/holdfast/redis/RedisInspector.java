package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Reply;
import io.holdfast.redis.wire.Script;
import io.holdfast.redis.wire.Wire;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Token;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The operator's side of a Redis store. Each look at a resource is one script, so that a line is
 * seen as it stood at one moment; a page is as many scripts as it has lines. Listing goes through
 * all keys of every master in small steps: it does not hold up the server, but takes its time on a
 * large one.
 */
final class RedisInspector implements EngineInspector {

  /** So many lines are asked for at once: an answer is as long as its lines. */
  private static final int AT_ONCE = 100;

  private final Doors doors;
  private final RedisRefusals refusals;
  private final String publish;

  /**
   * An inspector.
   *
   * @param publish the command that wakes those who wait
   */
  RedisInspector(Doors doors, RedisRefusals refusals, String publish) {
    this.doors = doors;
    this.refusals = refusals;
    this.publish = publish;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException {
    Resource.requireNamespace(namespace);
    if (limit < 1 || limit > MAX_PAGE) {
      throw new IllegalArgumentException("limit must be 1.." + MAX_PAGE + ": limit=" + limit);
    }
    NameScan scan = new NameScan(namespace, prefix);
    List<LineView> page = new ArrayList<>();
    String from = after;
    // Lines may turn out to be over when they are looked at: a short page would look like the last.
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

  private List<Resource> find(NameScan scan, String after, int limit) throws EngineException {
    List<Wire> masters = doors.openAll();
    try {
      return scan.first(masters, after, limit);
    } finally {
      masters.forEach(Wire::close);
    }
  }

  private List<LineView> views(List<Resource> resources) throws EngineException {
    List<LineView> views = new ArrayList<>(resources.size());
    try (Wire wire = doors.open()) {
      for (int from = 0; from < resources.size(); from += AT_ONCE) {
        List<Resource> some = resources.subList(from, Math.min(resources.size(), from + AT_ONCE));
        List<Call> calls = some.stream().map(each -> call(Scripts.INSPECT_SHOW, each)).toList();
        List<Reply> replies = wire.run(calls);
        for (int i = 0; i < some.size(); i++) {
          // What is not ours is left out of the list; whoever asks for it by name is told.
          LineWords.view(some.get(i), words(replies.get(i))).ifPresent(views::add);
        }
      }
    }
    return views;
  }

  @Override
  public Optional<LineView> show(Resource resource) throws EngineException {
    Words words = run(call(Scripts.INSPECT_SHOW, resource));
    if (LineWords.isForeign(words)) {
      throw refusals.foreign(resource, words.text(1));
    }
    return LineWords.view(resource, words);
  }

  @Override
  public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
    return take(Scripts.INSPECT_REVOKE, resource, token, reason);
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) throws EngineException {
    return take(Scripts.INSPECT_EVICT, resource, token, reason);
  }

  private Verdict take(Script script, Resource resource, long token, String reason)
      throws EngineException {
    if (reason.isBlank()) {
      throw new IllegalArgumentException(
          "the holder must be told why: state a reason for " + resource);
    }
    long granted = token - token % (Token.MAX_HAND_OVERS + 1);
    Call call = call(script, resource, Long.toString(granted), reason, publish);
    return run(call).number(0) == 1 ? Verdict.DONE : Verdict.NOT_CURRENT;
  }

  private Words run(Call call) throws EngineException {
    try (Wire wire = doors.open()) {
      return words(wire.run(List.of(call)).get(0));
    }
  }

  private static Call call(Script script, Resource resource, String... args) {
    List<byte[]> bytes = new ArrayList<>(args.length);
    for (String arg : args) {
      bytes.add(arg.getBytes(StandardCharsets.UTF_8));
    }
    return new Call(script, Layout.allKeys(resource), bytes, false);
  }

  private static Words words(Reply reply) throws EngineException {
    if (reply instanceof Reply.Failed failed) {
      throw failed.why();
    }
    return Words.of(((Reply.Value) reply).value());
  }
}
