package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.Crew;
import io.holdfast.jdbc.Db;
import io.holdfast.jdbc.guard.LateHolders.End;
import io.holdfast.jdbc.guard.LateHolders.Guarding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the guard is for: a holder that was overtaken never commits, on one database. */
interface LateHolderRules {

  DataSource source();

  /** The isolations that the database tells apart. */
  default List<Integer> isolations() {
    return List.of(
        Connection.TRANSACTION_READ_COMMITTED,
        Connection.TRANSACTION_REPEATABLE_READ,
        Connection.TRANSACTION_SERIALIZABLE);
  }

  /** Whether a claim that waited for another may fail with the database's own error. */
  default boolean isConflict(int isolation) {
    return false;
  }

  /** Whether what a transaction has read cannot be written until it ends. */
  default boolean readersBlock(int isolation) {
    return false;
  }

  /** Whether two transactions may have written something and be open. */
  default boolean writersMeet() {
    return true;
  }

  /** Whether shared holders are in together. */
  default boolean sharersMeet() {
    return true;
  }

  @BeforeEach
  default void freshTables() throws SQLException {
    LateHolders.createTables(source());
  }

  private Guarding right() {
    SqlFenceGuard guard = SqlFenceGuard.over(source());
    return (connection, token, holdId) -> guard.claim(connection, "account/1", token, holdId);
  }

  /** Takes an equal token for good, whoever shows it. */
  private static void broken(Connection connection, long token, String holdId) throws SQLException {
    String key = "'default:account/1'";
    Db.run(
        connection,
        "INSERT INTO holdfast_fence (resource, token, holder) SELECT "
            + key
            + ", 0, '' WHERE NOT EXISTS (SELECT 1 FROM holdfast_fence WHERE resource = "
            + key
            + ")");
    String sql = "UPDATE holdfast_fence SET token = ?, holder = ? WHERE resource = " + key;
    if (SqlStatements.update(connection, sql + " AND token <= ?", token, holdId, token) == 0) {
      throw new StaleTokenException("account/1", token, token + 1);
    }
  }

  private LateHolders stories(int isolation, Guarding guard) throws SQLException {
    LateHolders.createTables(source());
    return new LateHolders(source(), isolation, guard);
  }

  @Test
  default void u06_a_paused_holder_is_refused_and_nothing_of_it_stays() throws Exception {
    for (int isolation : isolations()) {
      LateHolders stories = stories(isolation, right());
      stories.pausedHolder();
      if (!readersBlock(isolation)) {
        stories.pausedInItsTransaction(false);
      }
    }
  }

  @Test
  default void u06_a_holder_that_wrote_before_its_claim_is_rolled_back_too() throws Exception {
    assumeTrue(writersMeet());
    for (int isolation : isolations()) {
      if (!readersBlock(isolation)) {
        stories(isolation, right()).pausedInItsTransaction(true);
      }
    }
  }

  @Test
  default void u06_a_late_claim_waits_for_the_open_one_and_is_refused() throws Exception {
    for (int isolation : isolations()) {
      LateHolders stories = stories(isolation, right());
      stories.pausedHolder();
      End end = stories.waitsBehind(4096, 3072);
      System.out.println(this + ": late claim at isolation " + isolation + " ends " + end);
      assertThat(end).isEqualTo(isConflict(isolation) ? End.CONFLICT : End.STALE);
      assertThat(stories.write(3072, "second", 9)).isEqualTo(End.STALE);
    }
  }

  @Test
  default void u06_a_newer_claim_waits_for_the_open_one_and_follows_it() throws Exception {
    for (int isolation : isolations()) {
      LateHolders stories = stories(isolation, right());
      stories.pausedHolder();
      End end = stories.waitsBehind(4096, 5120);
      System.out.println(this + ": newer claim at isolation " + isolation + " ends " + end);
      assertThat(end).isEqualTo(isConflict(isolation) ? End.CONFLICT : End.COMMITTED);
      assertThat(stories.write(5120, "second", 9)).isEqualTo(End.COMMITTED);
    }
  }

  @Test
  default void u06_one_token_lets_one_holder_in() throws Exception {
    for (int isolation : isolations()) {
      for (int round = 0; round < 5; round++) {
        stories(isolation, right()).oneTokenManyHolders(round);
      }
    }
  }

  @Test
  default void u06_what_is_written_never_goes_back_to_an_older_token() throws Exception {
    for (int isolation : isolations()) {
      LateHolders stories = stories(isolation, right());
      // So that the row is there: first claims are another story.
      stories.pausedHolder();
      Db.run(source(), "DELETE FROM journal", "UPDATE account SET amount = 0 WHERE id = 1");
      Db.run(source(), "UPDATE holdfast_fence SET token = 1");
      Map<End, Integer> ends = stories.tokensNeverGoBack();
      System.out.println(this + ": isolation " + isolation + " " + ends);
      assertThat(ends).containsKeys(End.COMMITTED, End.STALE);
    }
  }

  @Test
  default void the_same_test_catches_a_guard_that_lets_everyone_in() {
    int isolation = isolations().get(0);
    Guarding open =
        (connection, token, holdId) ->
            // Locks the row as a guard does, and compares nothing.
            SqlStatements.update(connection, "UPDATE holdfast_fence SET token = ?", token);
    assertThatThrownBy(
            () -> {
              LateHolders stories = stories(isolation, open);
              SqlFenceGuard.over(source()).claim("account/1", 1, "a");
              stories.tokensNeverGoBack();
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("tokens gone back");
  }

  @Test
  default void the_same_test_catches_a_guard_that_forgets_the_holder() {
    int isolation = isolations().get(0);
    assertThatThrownBy(
            () -> {
              // Not at an empty fence, where the broken one would meet itself inserting.
              LateHolders stories = stories(isolation, LateHolderRules::broken);
              stories.pausedHolder();
              stories.oneTokenManyHolders(0);
            })
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("expected: 1L");
  }

  @Test
  default void u06_a_claim_before_the_first_read_loses_no_update() throws Exception {
    for (int isolation : isolations()) {
      assertThat(stories(isolation, right()).readThenWrite(true)).isZero();
      // Planted: the same story with a claim at the write only. The old one's write is lost.
      assertThat(stories(isolation, right()).readThenWrite(false)).isEqualTo(10);
    }
  }

  @Test
  default void first_claims_of_many_resources_do_not_get_in_each_others_way() throws Exception {
    SqlFenceGuard guard = SqlFenceGuard.over(source());
    for (int isolation : isolations()) {
      try (Crew crew = new Crew()) {
        for (int round = 0; round < 20; round++) {
          String name = isolation + "/" + round + "/";
          crew.all(6, i -> claimTwo(guard, isolation, name + i));
        }
      }
    }
  }

  private String claimTwo(SqlFenceGuard guard, int isolation, String name) throws SQLException {
    try (Connection connection = Db.begin(source(), isolation)) {
      guard.claim(connection, name, 1, "a");
      guard.admit(connection, name + "/shared", 1, "a");
      connection.commit();
    } catch (SQLException e) {
      // PostgreSQL suspects neighbours in its index; that is its own affair, and nothing is kept.
      if (!isConflict(isolation) || !SqlErrors.isConflict(e)) {
        throw e;
      }
    }
    return name;
  }

  @Test
  default void waiters_go_on_when_the_first_claim_ever_is_rolled_back() throws Exception {
    for (int isolation : isolations()) {
      LateHolders stories = stories(isolation, right());
      System.out.println(this + ": isolation " + isolation + " " + stories.firstIsRolledBack());
      assertThat(stories.write(3072, "waiter-2", 9)).isEqualTo(End.COMMITTED);
    }
  }

  @Test
  default void u06_a_sharer_never_commits_after_a_claim() throws Exception {
    for (int isolation : isolations()) {
      LateHolders stories = stories(isolation, right());
      End end = stories.sharerIsOvertaken(SqlFenceGuard.over(source()));
      System.out.println(this + ": sharer at isolation " + isolation + " ends " + end);
    }
  }

  @Test
  default void u06_a_claim_waits_for_sharers_that_are_in() throws Exception {
    SqlFenceGuard guard = SqlFenceGuard.over(source());
    int isolation = isolations().get(0);
    guard.admit("account/1", 500, "before");
    try (Crew crew = new Crew();
        Connection one = Db.begin(source(), isolation);
        Connection other = Db.begin(source(), isolation)) {
      guard.admit(one, "account/1", 501, "one");
      Db.run(one, "UPDATE account SET amount = 1 WHERE id = 1");
      if (sharersMeet()) {
        guard.admit(other, "account/1", 502, "other");
      }
      LateHolders stories = new LateHolders(source(), isolation, right());
      Future<End> writer = crew.one(i -> stories.write(900, "writer", 2));
      assertThatThrownBy(() -> writer.get(300, TimeUnit.MILLISECONDS))
          .as("it waits")
          .isInstanceOf(TimeoutException.class);
      one.commit();
      other.commit();
      assertThat(writer.get(30, TimeUnit.SECONDS)).isEqualTo(End.COMMITTED);
      assertThat(stories.amount()).isEqualTo(2);
      assertThatThrownBy(() -> guard.admit(one, "account/1", 501, "one"))
          .isInstanceOf(StaleTokenException.class);
      one.rollback();
    }
  }
}
