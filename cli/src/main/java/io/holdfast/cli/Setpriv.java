package io.holdfast.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The program {@code setpriv}, by which a command dies with this program. Not all that have this
 * name can do that: BusyBox's and those before util-linux 2.33 do not know the option, and would
 * not run the command at all. So it is tried on something harmless.
 */
public final class Setpriv {

  /** What it can do. */
  public enum Skill {
    /** It is not there. */
    MISSING,
    /** It is there, but does not know how. */
    OTHER,
    /** A command that it starts dies with the thread that has started it. */
    TIES
  }

  private static final long PATIENCE_SECONDS = 2;

  private final Optional<Path> program;
  private final @Nullable Process trial;

  private Setpriv(Optional<Path> program, @Nullable Process trial) {
    this.program = program;
    this.trial = trial;
  }

  /** Begins a trial, and does not wait for its end: there is a store to be reached meanwhile. */
  public static Setpriv tried() {
    Optional<Path> program = ExecutableFinder.find("setpriv");
    return new Setpriv(program, program.map(Setpriv::trial).orElse(null));
  }

  private static @Nullable Process trial(Path program) {
    try {
      return new ProcessBuilder(line(program, "true"))
          .redirectInput(Path.of("/dev/null").toFile())
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      return null;
    }
  }

  private static List<String> line(Path program, String... command) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of(program.toString(), "--pdeathsig", "KILL", "--"));
    line.addAll(List.of(command));
    return line;
  }

  /** What it can do; waits for the end of the trial, but not for long. */
  public Skill skill() {
    if (program.isEmpty()) {
      return Skill.MISSING;
    }
    return trial != null && endsWell(trial) ? Skill.TIES : Skill.OTHER;
  }

  private static boolean endsWell(Process trial) {
    return trial
            .onExit()
            .thenApply(Process::exitValue)
            .completeOnTimeout(-1, PATIENCE_SECONDS, TimeUnit.SECONDS)
            .join()
        == 0;
  }

  /** What is to stand before the command that is tied; nothing where that cannot be done. */
  public List<String> words() {
    return skill() == Skill.TIES ? line(program.orElseThrow()) : List.of();
  }
}
