package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.table.layout.ResourceRow;
import io.holdfast.jdbc.table.layout.RowLocking;
import io.holdfast.jdbc.table.layout.RowReader;
import io.holdfast.jdbc.table.layout.RowWriter;
import io.holdfast.jdbc.table.layout.TableSql;
import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.jdbc.table.layout.WakeMessage;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Runs verbs of all kinds in one transaction.
 *
 * <p>It locks the rows of their resources in name order, applies the verbs one after another, and
 * writes what changed. Every verb sees what the verb before it did, so several verbs may be about
 * one resource.
 */
public final class TransactionPath {

  /**
   * The results of verbs, valid once they are committed.
   *
   * @param wakes the waiters for whom there is room now
   * @param left verbs that were left alone because other clients have their rows locked
   */
  public record Outcome(List<VerbResult> results, List<WakeMessage> wakes, List<Verb> left) {}

  private final TableSql sql;
  private final RowReader rows;
  private final VerbRules rules;
  private final RowWriter writes;

  /**
   * Creates the path over these tables.
   *
   * @param signals whether waiters are notified
   */
  public TransactionPath(TableSql sql, Refusals refusals, boolean signals) {
    this.sql = sql;
    this.rows = new RowReader(sql);
    this.rules = new VerbRules(refusals);
    this.writes = new RowWriter(sql, signals);
  }

  /**
   * Runs verbs within a transaction; the outcome is valid once that is committed.
   *
   * @param waits whether it waits for rows that other clients have locked; otherwise their verbs
   *     are left alone
   */
  public Outcome run(JdbcConnection connection, List<Verb> verbs, boolean waits)
      throws SQLException {
    Set<Resource> busy = new HashSet<>();
    Map<Resource, ResourceRow> heads =
        load(connection, verbs, waits ? RowLocking.WAIT : RowLocking.SKIP, busy);
    List<VerbResult> results = new ArrayList<>(verbs.size());
    List<Verb> left = new ArrayList<>();
    for (Verb verb : verbs) {
      Resource resource = verb.ticket().resource();
      ResourceRow head = heads.get(resource);
      if (busy.contains(resource)) {
        left.add(verb);
        continue;
      }
      if (head == null && needsRow(verb)) {
        throw unseen(resource);
      }
      // Without a row there are no tickets: verbs that need no row find nothing.
      results.add(rules.apply(verb, head == null ? new ResourceRow(resource, 0) : head));
    }
    return new Outcome(results, writes.write(connection, heads.values()), left);
  }

  private static boolean needsRow(Verb verb) {
    return verb instanceof Verb.Attempt || (verb instanceof Verb.Leave leave && leave.inDoubt());
  }

  /** Rejects a grant without a row that it could be written to. */
  private static SQLException unseen(Resource resource) {
    return new SQLException(
        "there is no row of "
            + resource
            + " although it was just inserted: names must be compared byte by byte, and rows in"
            + " use must not be deleted",
        "40001");
  }

  /**
   * Locks and reads the rows, and inserts needed rows that are missing.
   *
   * @param busy receives the resources that other clients have locked, if these are skipped
   */
  private Map<Resource, ResourceRow> load(
      JdbcConnection connection, List<Verb> verbs, RowLocking locking, Set<Resource> busy)
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
    Map<Resource, ResourceRow> heads = new HashMap<>();
    for (Map.Entry<String, Set<String>> entry : names.entrySet()) {
      String namespace = entry.getKey();
      Set<String> missing = needed.getOrDefault(namespace, new TreeSet<>());
      load(connection, namespace, entry.getValue(), missing, locking, heads).stream()
          .map(name -> new Resource(namespace, name))
          .forEach(busy::add);
    }
    return heads;
  }

  /** Does the same for one namespace; returns the names that other clients have locked. */
  private Set<String> load(
      JdbcConnection connection,
      String namespace,
      Set<String> names,
      Set<String> missing,
      RowLocking locking,
      Map<Resource, ResourceRow> heads)
      throws SQLException {
    boolean skips = locking == RowLocking.SKIP;
    Map<String, ResourceRow> found = rows.read(connection, namespace, names, locking);
    Set<String> taken = skips ? there(connection, namespace, names, found) : new TreeSet<>();
    missing.removeAll(found.keySet());
    missing.removeAll(taken); // An insert would wait for them.
    if (!missing.isEmpty()) {
      insert(connection, namespace, missing);
      found.putAll(rows.read(connection, namespace, missing, locking));
      missing.removeAll(found.keySet());
    }
    if (skips) {
      taken.addAll(missing);
    }
    found.values().forEach(head -> heads.put(head.resource, head));
    return taken;
  }

  /** Returns the names that were not found but exist: other clients have them locked. */
  private Set<String> there(
      JdbcConnection connection,
      String namespace,
      Set<String> names,
      Map<String, ResourceRow> found)
      throws SQLException {
    Set<String> unseen = new TreeSet<>(names);
    unseen.removeAll(found.keySet());
    if (!unseen.isEmpty()) {
      unseen.retainAll(rows.read(connection, namespace, unseen, RowLocking.NONE).keySet());
    }
    return unseen;
  }

  private void insert(JdbcConnection connection, String namespace, Set<String> names)
      throws SQLException {
    PreparedStatement insert = connection.prepare(sql.insertHead);
    insert.clearBatch();
    for (String name : names) {
      insert.setString(1, namespace);
      insert.setString(2, name);
      insert.addBatch();
    }
    insert.executeBatch();
  }
}
