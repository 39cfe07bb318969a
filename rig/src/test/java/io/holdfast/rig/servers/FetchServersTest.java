package io.holdfast.rig.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script that fetches servers, where it has nothing to fetch from. It never connects. */
@Timeout(60)
class FetchServersTest {

  private static final Path SCRIPT = Path.of("fetch-servers").toAbsolutePath();

  @TempDir Path folder;

  private record Ran(int code, String output) {}

  private Ran fetch(Path into, String aptGet) throws Exception {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path fake = Files.writeString(bin.resolve("apt-get"), "#!/bin/sh\n" + aptGet + "\n");
    assertThat(fake.toFile().setExecutable(true)).isTrue();
    ProcessBuilder builder =
        new ProcessBuilder(
                List.of("bash", SCRIPT.toString(), into.toString(), "sid", "mysqld=mysql-server"))
            .redirectErrorStream(true);
    builder.environment().merge("PATH", "", (path, none) -> bin + ":" + path);
    Process process = builder.start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Ran(process.waitFor(), output);
  }

  private List<String> left(Path parent) throws IOException {
    try (Stream<Path> files = Files.list(parent)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void a_folder_that_is_there_is_left_alone() throws Exception {
    Path there = Files.createDirectories(folder.resolve("cache/mysql"));
    Ran ran = fetch(there, "echo must not be asked; exit 1");
    assertThat(ran).isEqualTo(new Ran(0, ""));
  }

  @Test
  void without_a_mirror_it_says_so_and_leaves_nothing() throws Exception {
    Path cache = folder.resolve("cache");
    Ran ran = fetch(cache.resolve("mysql"), "exit 0");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.output()).isEqualTo("fetch-servers: apt has no mirror set up");
    assertThat(left(cache)).isEmpty();
  }

  @Test
  void a_mirror_without_the_suite_is_named_by_apts_words_and_nothing_is_left() throws Exception {
    Path cache = Files.createDirectories(folder.resolve("cache"));
    // One fetch was killed long ago, another one is under way.
    Path old = Files.createDirectories(cache.resolve(".fetching.old"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
    Files.createDirectories(cache.resolve(".fetching.young"));
    String aptGet =
        """
        case "$*" in
          *print-uris*) echo "'http://mirror.invalid/debian/dists/stable/InRelease' x 0" ;;
          *) echo "E: no Release file" >&2; exit 100 ;;
        esac
        """;
    Ran ran = fetch(cache.resolve("mysql"), aptGet);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.output()).contains("has the suite sid").contains("E: no Release file");
    assertThat(left(cache)).containsExactly(".fetching.young");
  }
}
