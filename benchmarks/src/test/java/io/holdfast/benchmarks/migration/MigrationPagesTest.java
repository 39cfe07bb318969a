package io.holdfast.benchmarks.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Code in the tables of the migration pages was compiled with the real API of both sides. */
class MigrationPagesTest {

  private static final Path PROJECT = Path.of("").toAbsolutePath().getParent();
  private static final Path HERE =
      Path.of("src/test/java/io/holdfast/benchmarks/migration").toAbsolutePath();
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @ParameterizedTest
  @CsvSource({
    "migrating-from-redisson.md, FromRedisson.java, 12",
    "migrating-from-curator.md, FromCurator.java, 10",
    "migrating-from-shedlock.md, FromShedLock.java, 4",
    "migrating-from-spring-integration.md, FromSpringIntegration.java, 5"
  })
  void everyLineOfTheTableIsCompiled(String page, String source, int rows) throws IOException {
    List<String> table = table(Files.readAllLines(PROJECT.resolve("docs").resolve(page)));
    assertThat(table).hasSizeGreaterThanOrEqualTo(rows);
    String compiled = normalized(Files.readString(HERE.resolve(source)));
    List<String> unknown = new ArrayList<>();
    for (String row : table) {
      CODE.matcher(row)
          .results()
          .map(code -> normalized(code.group(1)))
          .filter(code -> !compiled.contains(code))
          .forEach(unknown::add);
    }
    assertThat(unknown).as("not in %s", source).isEmpty();
  }

  /** Returns the rows of the table "you wrote | you write". */
  private static List<String> table(List<String> page) {
    int head = page.indexOf("| you wrote | you write |");
    assertThat(head).as("the table").isNotNegative();
    return page.stream().skip(head + 2).takeWhile(line -> line.startsWith("|")).toList();
  }

  /** Without indentation and line breaks. */
  private static String normalized(String code) {
    return code.strip().replaceAll("\\s+", " ").replaceAll(" (?=[.)])|(?<=\\() ", "");
  }
}
