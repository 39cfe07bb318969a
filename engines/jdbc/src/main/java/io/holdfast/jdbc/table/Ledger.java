package io.holdfast.jdbc.table;

import io.holdfast.jdbc.wire.Link;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Verb;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Verbs of all kinds in one transaction: it locks the rows of their resources in the order of their
 * names, works the verbs out one after another, and writes what changed. Since every verb sees what
 * the one before it did, several may be about one resource.
 */
public final class Ledger {

  /**
   * What became of verbs, once they are committed.
   *
   * @param calls who is worth telling
   * @param left verbs about which nothing was done, as others have their rows locked
   */
  public record Outcome(List<Answer> answers, List<Signal> calls, List<Verb> left) {}

  private final Sql sql;
  private final Rows rows;
  private final Rules rules;
  private final Writes writes;

  /**
   * A ledger of these tables.
   *
   * @param signals whether those that wait are told
   */
  public Ledger(Sql sql, Refusals refusals, boolean signals) {
    this.sql = sql;
    this.rows = new Rows(sql);
    this.rules = new Rules(refusals);
    this.writes = new Writes(sql, signals);
  }

  /** The refusal of a verb that can be refused without a look at the store. */
  public Optional<Answer> refusal(Verb verb) {
    return rules.refusal(verb).map(why -> Answer.of(verb, why));
  }

  /**
   * Runs verbs within a transaction; what it answers counts once that is committed.
   *
   * @param patient whether it waits for rows that others have locked; otherwise their verbs are
   *     left
   */
  public Outcome run(Link link, List<Verb> verbs, boolean patient) throws SQLException {
    Set<Resource> busy = new HashSet<>();
    Map<Resource, Head> heads = load(link, verbs, patient ? Locking.WAIT : Locking.SKIP, busy);
    List<Answer> answers = new ArrayList<>(verbs.size());
    List<Verb> left = new ArrayList<>();
    for (Verb verb : verbs) {
      Resource resource = verb.ticket().resource();
      Head head = heads.get(resource);
      if (busy.contains(resource)) {
        left.add(verb);
        continue;
      }
      if (head == null && needsRow(verb)) {
        throw unseen(resource);
      }
      // Where no row is, there is nobody: those verbs that need none find nothing.
      answers.add(rules.apply(verb, head == null ? new Head(resource, 0) : head));
    }
    return new Outcome(answers, writes.write(link, heads.values()), left);
  }

  private static boolean needsRow(Verb verb) {
    return verb instanceof Verb.Attempt || (verb instanceof Verb.Leave leave && leave.inDoubt());
  }

  /** Nothing may be granted that is not written. */
  private static SQLException unseen(Resource resource) {
    return new SQLException(
        "there is no row of "
            + resource
            + " though it was just made: names must be compared byte by byte, and rows that are in"
            + " use must not be deleted",
        "40001");
  }

  /**
   * Locks and reads the rows, and makes those that are needed and missing.
   *
   * @param busy gets those that others have locked, if these are skipped
   */
  private Map<Resource, Head> load(Link link, List<Verb> verbs, Locking locking, Set<Resource> busy)
      throws SQLException {
    Map<String, Set<String>> names = new TreeMap<>();
    Map<String, Set<String>> needed = new HashMap<>();
    for (Verb verb : verbs) {
      Resource resource = verb.ticket().resource();
      names.computeIfAbsent(resource.namespace(), ns -> new TreeSet<>()).add(resource.name());
      if (needsRow(verb)) {
        needed.computeIfAbsent(resource.namespace(), ns -> new TreeSet<>()).add(resource.name());
      }
    }
    Map<Resource, Head> heads = new HashMap<>();
    for (Map.Entry<String, Set<String>> entry : names.entrySet()) {
      String namespace = entry.getKey();
      Set<String> missing = needed.getOrDefault(namespace, new TreeSet<>());
      load(link, namespace, entry.getValue(), missing, locking, heads).stream()
          .map(name -> new Resource(namespace, name))
          .forEach(busy::add);
    }
    return heads;
  }

  /** The same for one namespace; answers those that others have locked. */
  private Set<String> load(
      Link link,
      String namespace,
      Set<String> names,
      Set<String> missing,
      Locking locking,
      Map<Resource, Head> heads)
      throws SQLException {
    boolean skips = locking == Locking.SKIP;
    Map<String, Head> found = rows.read(link, namespace, names, locking);
    Set<String> taken = skips ? there(link, namespace, names, found) : new TreeSet<>();
    missing.removeAll(found.keySet());
    missing.removeAll(taken); // An insert would wait for them.
    if (!missing.isEmpty()) {
      insert(link, namespace, missing);
      found.putAll(rows.read(link, namespace, missing, locking));
      missing.removeAll(found.keySet());
    }
    if (skips) {
      taken.addAll(missing);
    }
    found.values().forEach(head -> heads.put(head.resource, head));
    return taken;
  }

  /** Which of those that were not found are there all the same: others have them locked. */
  private Set<String> there(Link link, String namespace, Set<String> names, Map<String, Head> found)
      throws SQLException {
    Set<String> unseen = new TreeSet<>(names);
    unseen.removeAll(found.keySet());
    if (!unseen.isEmpty()) {
      unseen.retainAll(rows.read(link, namespace, unseen, Locking.NONE).keySet());
    }
    return unseen;
  }

  private void insert(Link link, String namespace, Set<String> names) throws SQLException {
    PreparedStatement insert = link.prepare(sql.insertHead);
    insert.clearBatch();
    for (String name : names) {
      insert.setString(1, namespace);
      insert.setString(2, name);
      insert.addBatch();
    }
    insert.executeBatch();
  }
}
