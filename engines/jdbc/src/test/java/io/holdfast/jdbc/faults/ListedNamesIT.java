package io.holdfast.jdbc.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names beyond the first plane: two units of UTF-16 that sort below the end of that plane. */
@Timeout(120)
class ListedNamesIT {

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final String LAST_OF_THE_FIRST_PLANE = "n/\uFFFD";
  private static final String OF_ANOTHER_PLANE = "n/\uD83D\uDE00";

  private static final List<String> NAMES =
      List.of(
          "m",
          OF_ANOTHER_PLANE,
          "n/a",
          LAST_OF_THE_FIRST_PLANE + "b",
          "n/\u00e9",
          LAST_OF_THE_FIRST_PLANE,
          OF_ANOTHER_PLANE + "a",
          "n/Z",
          "o");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  @DisplayName("names are listed in the order of their bytes, page by page")
  void inOrder(Server.Kind kind) throws Exception {
    try (Server server = kind.start()) {
      inOrder(server.url());
    }
  }

  @Test
  @DisplayName("the same on H2")
  void inOrderOnH2() throws Exception {
    inOrder("jdbc:h2:mem:listed;DB_CLOSE_DELAY=-1");
  }

  @Test
  @DisplayName("the same on SQLite")
  void inOrderOnSqlite() throws Exception {
    inOrder("jdbc:sqlite:" + folder.resolve("listed.db"));
  }

  private static void inOrder(String uri) throws Exception {
    List<String> expected = new ArrayList<>(NAMES);
    expected.removeIf(name -> !name.startsWith("n/"));
    expected.sort((a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8)));
    assertThat(expected.indexOf(LAST_OF_THE_FIRST_PLANE))
        .isLessThan(expected.indexOf(OF_ANOTHER_PLANE));
    try (Holdfast holdfast = Holdfast.connect(uri)) {
      for (String name : NAMES) {
        assertThat(holdfast.lock(name).acquire(WAIT).isHeld()).isTrue();
      }
      EngineInspector inspector = holdfast.inspector().orElseThrow();
      assertThat(names(inspector.list("default", "n/", "", 100))).isEqualTo(expected);
      List<String> paged = new ArrayList<>();
      List<String> page = names(inspector.list("default", "n/", "", 2));
      while (!page.isEmpty()) {
        paged.addAll(page);
        page = names(inspector.list("default", "n/", page.get(page.size() - 1), 2));
      }
      assertThat(paged).isEqualTo(expected);
      assertThat(names(inspector.list("default", OF_ANOTHER_PLANE, "", 10)))
          .containsExactly(OF_ANOTHER_PLANE, OF_ANOTHER_PLANE + "a");
    }
  }

  private static List<String> names(List<LineView> lines) {
    return lines.stream().map(line -> line.resource().name()).toList();
  }
}
