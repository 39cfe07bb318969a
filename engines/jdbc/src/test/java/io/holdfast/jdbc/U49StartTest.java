package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.LockRefusedException;
import io.holdfast.StoreUnavailableException;
import io.holdfast.rig.process.Ports;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** U49: what a program sees when the database or its tables are not there yet. */
@Timeout(60)
class U49StartTest {

  private static final Duration WAIT = Duration.ofSeconds(1);

  @Test
  void missing_tables_are_one_clear_message_with_what_creates_them_and_then_it_works()
      throws Exception {
    String url = "jdbc:h2:mem:u49;DB_CLOSE_DELAY=-1";
    try (Holdfast holdfast = Holdfast.connect(url + "?holdfast.create=false")) {
      String words = refusal(holdfast);
      List<String> statements = statements(words);
      assertThat(statements).hasSize(4);
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
      }
      try (Hold hold = holdfast.lock("a").acquire(WAIT)) {
        hold.ensureHeld();
      }
    }
  }

  @Test
  void tables_that_vanish_are_missing_too() throws Exception {
    String url = "jdbc:h2:mem:u49b;DB_CLOSE_DELAY=-1";
    try (Holdfast holdfast = Holdfast.connect(url + "?holdfast.table=gone_")) {
      holdfast.lock("a").acquire(WAIT).release();
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        statement.execute("drop table gone_lock");
      }
      assertThat(refusal(holdfast)).contains("create table if not exists gone_lock");
    }
  }

  private static String refusal(Holdfast holdfast) {
    StringBuilder words = new StringBuilder();
    assertThatThrownBy(() -> holdfast.lock("a").acquire(WAIT))
        .isInstanceOf(LockRefusedException.class)
        .satisfies(e -> words.append(e.getMessage()));
    return words.toString();
  }

  private static List<String> statements(String words) {
    List<String> found = new ArrayList<>();
    Matcher matcher = Pattern.compile("(create table|merge into) [^;]*").matcher(words);
    while (matcher.find()) {
      found.add(matcher.group());
    }
    return found;
  }

  @Test
  void a_program_starts_while_the_database_is_down() throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:" + Ports.free() + "/app?user=u&password=s3cret";
    try (Holdfast holdfast = Holdfast.connect(url)) {
      assertThatThrownBy(() -> holdfast.lock("a").acquire(WAIT))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("127.0.0.1")
          .hasMessageContaining("refused")
          .hasStackTraceContaining("holdfast")
          .hasMessageNotContaining("s3cret");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:mariadb:nonsense//127.0.0.1/app?user=u&password=s3cret",
        "jdbc:postgresql://u:s3cret@127.0.0.1/app",
        "jdbc:h2:relative/path;USER=u;PASSWORD=s3cret",
        "jdbc:h2:mem:x;PASSWORD=s3cret;NONSENSE=1",
        "jdbc:mysql://address=(host=127.0.0.1)(user=u)(password=s3cret)/app"
      })
  void no_complaint_of_a_driver_shows_a_password(String url) throws Exception {
    try (Holdfast holdfast = Holdfast.connect(url)) {
      assertThatThrownBy(() -> holdfast.lock("a").acquire(Duration.ofMillis(200)))
          .isInstanceOf(HoldfastException.class)
          .satisfies(
              e -> {
                StringWriter all = new StringWriter();
                e.printStackTrace(new PrintWriter(all));
                assertThat(all.toString()).doesNotContain("s3cret");
              });
    }
  }

  @Test
  void a_file_that_is_no_database_is_refused_at_once(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("notes.txt"), "not a database\n".repeat(100));
    try (Holdfast holdfast = Holdfast.connect("jdbc:sqlite:" + file)) {
      assertThat(refusal(holdfast)).contains("not a database");
    }
  }

  @Test
  void a_driver_that_is_not_there_is_named_without_the_password() throws Exception {
    String url = "jdbc:mysql://127.0.0.1/app";
    Driver driver = DriverManager.getDriver(url);
    DriverManager.deregisterDriver(driver);
    try (Holdfast holdfast = Holdfast.connect(url + "?password=s3cret")) {
      assertThatThrownBy(() -> holdfast.lock("a").acquire(WAIT))
          .isInstanceOf(LockRefusedException.class)
          .hasMessageContaining("driver of MySQL")
          .hasMessageNotContaining("s3cret");
    } finally {
      DriverManager.registerDriver(driver);
    }
  }
}
