package io.holdfast.jdbc.table.verbs;

import io.holdfast.jdbc.connection.JdbcConnection;
import io.holdfast.jdbc.connection.SqlRunner;
import io.holdfast.jdbc.table.layout.VerbResult;
import io.holdfast.jdbc.table.signals.LockSignals;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Order;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.Admission;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lane of the mode table: runs each batch of verbs over one connection. */
public final class TableLane implements BatchEngine {

  /*
   * Most verbs take the fast path: one statement for all verbs of a kind, committed by itself, which
   * does only what the resource's own row allows at once. What it left undone, and everything that
   * needs a line or more than one row, takes the transaction path.
   */

  /** One statement of the fast path, for many verbs of a kind. */
  private interface Statement {
    List<VerbResult> run(JdbcConnection connection, List<Verb> verbs) throws SQLException;
  }

  private final Admission admission;
  private final EngineTraits traits;
  private final SqlRunner runner;
  private final TransactionPath transactionPath;
  private final @Nullable FastPath fastPath;
  private final LockSignals signals;
  private final Consumer<SqlRunner> afterBatch;

  /**
   * Creates a lane.
   *
   * @param fastPath null where the database has none
   * @param afterBatch runs after all verbs of a batch have been completed; must not throw
   */
  public TableLane(
      EngineTraits traits,
      SqlRunner runner,
      TransactionPath transactionPath,
      @Nullable FastPath fastPath,
      LockSignals signals,
      Consumer<SqlRunner> afterBatch) {
    this.admission = Admission.of(traits);
    this.traits = traits;
    this.runner = runner;
    this.transactionPath = transactionPath;
    this.fastPath = fastPath;
    this.signals = signals;
    this.afterBatch = afterBatch;
  }

  @Override
  public void perform(List<Verb> batch) {
    List<Verb> verbs = admission.admit(batch);
    verbs.forEach(signals::beforeSend);
    List<Verb> rest = fastPath == null ? verbs : runFastPath(verbs, fastPath);
    if (!rest.isEmpty()) {
      runTransactions(rest);
    }
    afterBatch.accept(runner);
  }

  /**
   * Runs the verbs that may take the fast path; returns the other verbs and what it left undone.
   */
  private List<Verb> runFastPath(List<Verb> verbs, FastPath fast) {
    List<Verb> leaves = new ArrayList<>();
    List<Verb> renewals = new ArrayList<>();
    List<Verb> attempts = new ArrayList<>();
    List<Verb> rest = new ArrayList<>();
    for (Verb verb : verbs) {
      boolean unordered = verb.ticket().shape().order() == Order.ANY;
      if (unordered && verb instanceof Verb.Attempt) {
        attempts.add(verb);
      } else if (unordered && verb instanceof Verb.Renew) {
        renewals.add(verb);
      } else if (unordered && verb instanceof Verb.Leave leave && !leave.inDoubt()) {
        leaves.add(verb);
      } else {
        rest.add(verb);
      }
    }
    // Leaves first: they make room.
    rest.addAll(runStatement(leaves, fast::leaves));
    rest.addAll(runStatement(renewals, fast::renewals));
    rest.addAll(runStatement(attempts, fast::attempts));
    return rest;
  }

  /** Returns the verbs that are not done yet. */
  private List<Verb> runStatement(List<Verb> verbs, Statement statement) {
    if (verbs.isEmpty()) {
      return verbs;
    }
    try {
      complete(runner.statement(connection -> statement.run(connection, verbs)));
    } catch (EngineException.Refused e) {
      // One verb is to blame: the transaction path finds out which.
      return verbs;
    } catch (EngineException e) {
      verbs.forEach(verb -> verb.fail(e));
    }
    return verbs.stream().filter(verb -> !verb.isComplete()).toList();
  }

  /*
   * A batch never waits for a row while it holds locks on others: clients whose batches overlap
   * would queue up behind each other, each with all of its rows locked, until none of them is in
   * time. So a batch first runs what no other client has locked, again and again while that makes
   * progress; then it waits for one locked resource alone. Every round completes at least one verb.
   */
  private void runTransactions(List<Verb> verbs) {
    List<Verb> rest = verbs;
    while (rest.stream().map(TableLane::resource).distinct().count() > 1) {
      List<Verb> left = transact(rest, /* waits= */ false);
      if (left.size() == rest.size()) {
        Resource first = resource(left.get(0));
        transact(left.stream().filter(verb -> resource(verb).equals(first)).toList(), true);
        left = left.stream().filter(verb -> !resource(verb).equals(first)).toList();
      }
      rest = left;
    }
    if (!rest.isEmpty()) {
      transact(rest, /* waits= */ true);
    }
  }

  private static Resource resource(Verb verb) {
    return verb.ticket().resource();
  }

  /** Returns the verbs that were left alone because other clients have their rows locked. */
  private List<Verb> transact(List<Verb> verbs, boolean waits) {
    try {
      TransactionPath.Outcome outcome =
          runner.transaction(connection -> transactionPath.run(connection, verbs, waits));
      complete(outcome.results());
      signals.roomMade(outcome.wakes());
      return outcome.left();
    } catch (EngineException e) {
      if (e instanceof EngineException.Refused && verbs.size() > 1) {
        // One verb is to blame, and must not fail the others.
        verbs.forEach(verb -> transact(List.of(verb), /* waits= */ true));
      } else {
        verbs.forEach(verb -> verb.fail(e));
      }
      return List.of();
    }
  }

  private void complete(List<VerbResult> results) {
    for (VerbResult result : results) {
      signals.beforeComplete(result);
      result.complete();
      signals.afterComplete(result);
    }
  }

  @Override
  public EngineTraits traits() {
    return traits;
  }

  /** May come from another thread, to break off a call that takes too long. */
  @Override
  public void close() {
    runner.close();
  }
}
