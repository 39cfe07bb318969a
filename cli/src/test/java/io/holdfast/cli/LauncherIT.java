package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.time.Figure;
import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script of the checkout, copied to where everything looks built: its jar and its classes are
 * those of these tests.
 */
@Timeout(120)
@DisplayName("./holdfast")
class LauncherIT {

  private static final Path SCRIPT = Path.of("../holdfast");

  @TempDir Path folder;

  private record Ended(int code, String out, String err) {}

  @BeforeEach
  void pretendToBuild() throws Exception {
    Files.copy(SCRIPT, folder.resolve("holdfast"));
    Path cli = Files.createDirectories(folder.resolve("cli/target/quick"));
    Path benchmarks = Files.createDirectories(folder.resolve("benchmarks/target/quick"));
    writeJar(cli.resolve("holdfast.jar"));
    Files.writeString(benchmarks.resolve("classpath.txt"), System.getProperty("java.class.path"));
    for (Path module : List.of(cli, benchmarks)) {
      Files.createFile(module.resolve("built"));
    }
  }

  /** Nothing but where the classes are. */
  private static void writeJar(Path jar) throws Exception {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    main.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
    main.put(
        Attributes.Name.CLASS_PATH,
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(each -> Path.of(each).toUri().toString())
            .collect(Collectors.joining(" ")));
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream made = new JarOutputStream(out, manifest)) {
      made.finish();
    }
  }

  @ParameterizedTest
  @CsvSource({"--help", "-h", "help", "''"})
  @DisplayName("--help has a line for each of the program's commands")
  void help(String asked) throws Exception {
    Ended help = asked.isEmpty() ? run() : run(asked);

    assertThat(help.code()).isZero();
    List<String> all = new ArrayList<>(Main.wholeTree().getSubcommands().keySet());
    all.addAll(List.of("test", "demo"));
    assertThat(all).hasSize(15);
    assertThat(all)
        .allSatisfy(
            command -> assertThat(help.out()).containsPattern("(?m)^  " + command + " .*\\w"));
  }

  @Test
  @DisplayName("runs the program: arguments as they are, its code, and nothing of its own")
  void program() throws Exception {
    Ended run = run("run", "x", "--", "sh", "-c", "printf '%s,' \"$@\"; exit 7", "sh", "a b", "*");

    assertThat(run).isEqualTo(new Ended(7, "a b,*,", ""));
    assertThat(run("run", "x", "--", "true")).isEqualTo(new Ended(0, "", ""));
    Ended commands = run("commands");
    assertThat(commands.out())
        .contains("Usage: holdfast [-hV] COMMAND", "guarantees", "completion");
    Ended unknown = run("rum", "x");
    assertThat(unknown.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err())
        .contains("no such command: rum; did you mean run?", "see holdfast --help");
  }

  @Test
  @DisplayName("help COMMAND and --help of a command are the same, and --version is the program's")
  void helpOfCommands() throws Exception {
    for (String command : List.of("run", "bench")) {
      Ended help = run("help", command);
      assertThat(help.code()).as(help.err()).isZero();
      assertThat(help.out()).startsWith("Usage: holdfast " + command);
      assertThat(run(command, "--help")).isEqualTo(help);
    }
    Ended nonsense = run("help", "rum");
    assertThat(nonsense.code()).isEqualTo(ExitCode.USAGE);
    assertThat(nonsense.err()).contains("no such command: rum");
    for (String asked : List.of("--version", "-V", "version")) {
      assertThat(run(asked).out()).matches("holdfast \\d+\\.\\d+\\.\\d+\\S*, on Java \\d+.*\n");
    }
  }

  @Test
  @DisplayName(
      "may be started by a link to it, or a link to that, and leaves no files next to them")
  void link() throws Exception {
    Path bin = Files.createDirectories(folder.resolve("home/bin"));
    Files.createSymbolicLink(bin.resolve("absolute"), folder.resolve("holdfast"));
    Files.createSymbolicLink(bin.resolve("holdfast"), Path.of("../bin/absolute"));

    Ended linked = start(bin.resolve("holdfast"), "run", "x", "--", "echo", "in");

    assertThat(linked).isEqualTo(new Ended(0, "in\n", ""));
    try (Stream<Path> left = Files.list(bin)) {
      assertThat(left).hasSize(2);
    }
  }

  @Test
  @DisplayName("every Java has an archive of classes of its own, and none of them warns")
  void everyJava() throws Exception {
    List<Path> all = InstalledJdks.installed();
    for (Path java : all) {
      for (String round : List.of("makes its archive", "uses it")) {
        Ended run = start(java, folder.resolve("holdfast"), "run", "x", "--", "echo", "in");
        assertThat(run).as(java + " " + round).isEqualTo(new Ended(0, "in\n", ""));
      }
    }
    Figure.print("an archive for each of %s", all);
    try (Stream<Path> made = Files.list(folder.resolve("cli/target/quick"))) {
      assertThat(made.filter(file -> file.toString().endsWith(".jsa")))
          .hasSize(all.size())
          .allSatisfy(archive -> assertThat(archive).isNotEmptyFile());
    }
  }

  @Test
  @DisplayName("shows what Maven complains of, and none of its escape sequences")
  void build() throws Exception {
    Path cli = folder.resolve("cli/target/quick");
    Files.delete(cli.resolve("built"));
    Files.copy(cli.resolve("holdfast.jar"), folder.resolve("made"));
    Path maven = Files.createDirectories(folder.resolve("bin")).resolve("mvn");
    Files.writeString(
        maven,
        """
        #!/bin/sh
        printf '\\033[0m\\033[1;31mwell\\033[m\\n'
        printf '\\033[0m' >&2
        cp made cli/target/quick/holdfast.jar
        """);
    assertThat(maven.toFile().setExecutable(true)).isTrue();

    Ended run = run("run", "x", "--", "echo", "in");

    assertThat(run).isEqualTo(new Ended(0, "in\n", "Building cli …\nwell\n"));
    assertThat(cli.resolve("built")).exists();
  }

  @Test
  @DisplayName("bench measures the user's own store, as the program does")
  void ownStore() throws Exception {
    Path svg = folder.resolve("locks.svg");
    Ended bench =
        run("bench", "--threads", "2", "--time", "50ms", "--rounds", "1", "--svg", svg.toString());

    assertThat(bench.code()).as(bench.err()).isZero();
    assertThat(bench.out()).contains("one name, 2 threads, FIFO", "holdfast jdbc:sqlite: any");
    assertThat(svg).content().startsWith("<svg ");
    assertThat(run("bench", "--json", "--threads", "0").code()).isEqualTo(ExitCode.USAGE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis --threads 2",
        "--peers --store redis://h --threads 2",
        "--peers=a --peers=b",
        "--peers --help",
        "--threads 2 --mode both",
        "--store redis: --rounds 0",
        "--store -",
        "--store memory: --store memory:x --rounds 0",
        "--json f --rounds 0",
        "rediss"
      })
  @DisplayName("bench runs the benchmarks for a suite, for peers, and for what only they support")
  void benchmarks(String line) throws Exception {
    Path jdk = folder.resolve("jdk");
    Path java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    List<String> words = new ArrayList<>(List.of("bench"));
    words.addAll(List.of(line.split(" ", -1)));

    Ended bench = start(jdk, folder.resolve("holdfast"), words.toArray(String[]::new));

    assertThat(bench.code()).as(bench.err()).isZero();
    assertThat(bench.out()).endsWith(" io.holdfast.benchmarks.Bench " + line + "\n");
  }

  @Test
  @DisplayName("torture and help torture start the torture program of the checkout")
  void torture() throws Exception {
    Path torture = Files.createDirectories(folder.resolve("torture/target/quick"));
    Files.writeString(torture.resolve("classpath.txt"), folder.resolve("nothing").toString());
    Files.createFile(torture.resolve("built"));

    for (Ended ended : List.of(run("torture", "--help"), run("help", "torture"))) {
      assertThat(ended.code()).isNotZero();
      assertThat(ended.err()).contains("io.holdfast.torture.Torture");
    }
  }

  private Ended run(String... arguments) throws Exception {
    return start(folder.resolve("holdfast"), arguments);
  }

  private Ended start(Path script, String... arguments) throws Exception {
    return start(Path.of(System.getProperty("java.home")), script, arguments);
  }

  private Ended start(Path java, Path script, String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of("bash", script.toString()));
    line.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(Files.createDirectories(folder.resolve("elsewhere")).toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("HOLDFAST_"));
    builder.environment().merge("PATH", folder + "/bin", (path, ours) -> ours + ":" + path);
    builder.environment().put("JAVA_HOME", java.toString());
    builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
    builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
    Process process = builder.start();
    assertThat(process.waitFor(CliProcess.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return new Ended(process.exitValue(), CliProcess.read(out), CliProcess.read(err));
  }
}
