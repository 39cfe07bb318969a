package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockRefusedException;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.Crew;
import io.holdfast.jdbc.Db;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** What guards do on MySQL and MariaDB alike. */
interface MySqlFamilyGuardRules extends GuardRules, ColumnRules, LateHolderRules, VersionedRules {

  /** The database of {@link #source()}, for a user whose password is "secret". */
  DataSource sourceFor(String user);

  @Override
  default boolean readersBlock(int isolation) {
    return isolation == Connection.TRANSACTION_SERIALIZABLE;
  }

  @Test
  default void u45_rights_to_read_insert_and_update_the_table_are_enough() throws SQLException {
    Db.run(
        source(),
        "CREATE USER guarded IDENTIFIED BY 'secret'",
        "GRANT SELECT, INSERT ON guards.holdfast_fence TO guarded");
    SqlFenceGuard guard = SqlFenceGuard.over(sourceFor("guarded"));
    assertThatThrownBy(() -> guard.claim("r", 1, "a"))
        .isInstanceOf(LockRefusedException.class)
        .hasMessageContaining("denied");
    Db.run(source(), "GRANT UPDATE ON guards.holdfast_fence TO guarded");
    guard.admit("r", 1, "a");
    guard.claim("r", 1, "a");
    guard.claim("r", 2, "b");
    assertThatThrownBy(() -> guard.claim("r", 1, "a")).isInstanceOf(StaleTokenException.class);
  }

  /** Why the guard inserts first: the planted way to do it, which looks first. */
  @Test
  default void looking_for_a_row_in_vain_before_inserting_it_ends_in_a_deadlock() throws Exception {
    int isolation = Connection.TRANSACTION_REPEATABLE_READ;
    try (Crew crew = new Crew();
        Connection one = Db.begin(source(), isolation);
        Connection other = Db.begin(source(), isolation)) {
      for (Connection each : List.of(one, other)) {
        Db.run(each, "UPDATE holdfast_fence SET token = 2 WHERE resource = 'r' AND token < 2");
      }
      String insert = "INSERT INTO holdfast_fence (resource, token, holder) VALUES ('r', 2, 'a')";
      assertThatThrownBy(
              () ->
                  crew.all(
                      2,
                      i -> {
                        Db.run(i == 0 ? one : other, insert);
                        return i;
                      }))
          .hasMessageContaining("Deadlock");
    }
  }
}
