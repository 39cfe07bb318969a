package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("The store that needs no set-up:")
class DefaultStoreIT {

  @TempDir Path folder;

  @Test
  @DisplayName("belongs to the user alone, with all its files, even while in use")
  void modes() throws Exception {
    String script = "echo >" + folder.resolve("up") + "; sleep 600; :";
    try (CliProcess run = CliProcess.Setup.in(folder).start("run", "a", "--", "sh", "-c", script)) {
      run.awaitLineIn(folder.resolve("up"));
      List<Path> all = all(folder.resolve("state/holdfast"));
      assertThat(all).contains(folder.resolve("state/holdfast/locks.db-wal"));
      assertThat(all).allSatisfy(DefaultStoreIT::requirePrivate);
      assertThat(ports(run.pid())).as("sockets that listen").isEmpty();
    }
  }

  @Test
  @DisplayName("removes rights of other users")
  void restricts() throws Exception {
    Path state = Files.createDirectories(folder.resolve("state/holdfast"));
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createFile(state.resolve("locks.db"));
    assertThat(CliProcess.Setup.in(folder).run("run", "a", "--", "true").awaitExit()).isZero();
    assertThat(all(state)).allSatisfy(DefaultStoreIT::requirePrivate);
  }

  @Test
  @DisplayName("leaves nothing in the folder that all users share")
  void temporaryFiles() throws Exception {
    Path shared = Files.createDirectory(folder.resolve("tmp"));
    CliProcess.Setup setup =
        CliProcess.Setup.in(folder).with("JDK_JAVA_OPTIONS", "-Djava.io.tmpdir=" + shared);
    assertThat(setup.run("run", "a", "--", "true").awaitExit()).isZero();
    assertThat(shared).isEmptyDirectory();
  }

  @Test
  @DisplayName("the config file can name another store, and a wrong line in it is reported")
  void config() throws Exception {
    Path file = Files.createDirectories(folder.resolve("config/holdfast")).resolve("config");
    Files.writeString(file, "# ours\nstore = jdbc:sqlite:" + folder.resolve("other.db") + "\n");
    assertThat(CliProcess.Setup.in(folder).run("run", "a", "--", "true").awaitExit()).isZero();
    assertThat(folder.resolve("other.db")).exists();
    assertThat(folder.resolve("state")).doesNotExist();
    Files.writeString(file, "stor = x\n");
    CliProcess wrong = CliProcess.Setup.in(folder).run("run", "a", "--", "true");
    assertThat(wrong.awaitExit()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("line 1");
  }

  private static List<Path> all(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.toList();
    }
  }

  private static void requirePrivate(Path path) throws IOException {
    String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    assertThat(mode).as(path.toString()).endsWith("------");
  }

  /** Listening sockets of a process, out of the lists that its network namespace has. */
  private static List<String> ports(long pid) throws IOException {
    List<String> own;
    try (Stream<Path> links = Files.list(Path.of("/proc/" + pid + "/fd"))) {
      own = links.map(DefaultStoreIT::target).filter(t -> t.startsWith("socket:")).toList();
    }
    return Stream.of("tcp", "tcp6")
        .flatMap(kind -> CliProcess.read(Path.of("/proc/" + pid + "/net/" + kind)).lines())
        .map(line -> line.strip().split("\\s+", -1))
        .filter(fields -> fields.length > 9 && fields[3].equals("0A"))
        .map(fields -> "socket:[" + fields[9] + "]")
        .filter(own::contains)
        .toList();
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
