package io.holdfast.cli.demo;

import io.holdfast.HoldfastException;
import io.holdfast.LockRefusedException;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.spi.EngineException;
import java.io.IOException;
import java.util.List;

/** Shows locks at work in the terminal; fails if a check does not pass. */
public final class Demo {

  private static final int WRONG = 1;

  static final int INTERRUPTED = ExitCode.SIGNAL + 2;

  private static final String TEXT =
      """
      Four workers pay coins into a jar. Each is a client of its own, as if on another
      machine. To pay is to look, work and write back: that takes the lock "jar".
      A lease of 2 s is renewed while its holder lives. Every grant has a token that
      is larger than all before; the guard of the jar refuses any older one.
      """;

  private Demo() {}

  /** Runs the demo and ends the JVM. */
  public static void main(String[] args) {
    try {
      DemoOptions options = DemoOptions.parse(List.of(args));
      if (options.help()) {
        System.out.print(DemoOptions.USAGE);
        return;
      }
      DemoStyle look = DemoStyle.ofStandardOutput(options.noColour());
      DemoScreen screen = new DemoScreen(System.out, look.live());
      // After Ctrl-C too the terminal gets its cursor back. Nothing else goes on: all are daemons,
      // and processes end with their standard input.
      Runtime.getRuntime().addShutdownHook(new Thread(screen::close, "demo-restore"));
      System.exit(run(screen, look, options));
    } catch (IllegalArgumentException | CliException e) {
      System.err.print("demo: " + e.getMessage() + "\n\n" + DemoOptions.USAGE);
      System.exit(ExitCode.USAGE);
    }
  }

  /** Runs the demo and returns the exit code. */
  static int run(DemoScreen screen, DemoStyle look, DemoOptions options) {
    try (TemporaryFolder scratch = new TemporaryFolder()) {
      DemoStore place = options.place(scratch);
      // Asked in any case: a store that does not reply is found before the story begins.
      boolean sessions = place.keepsSessions();
      boolean processes = options.processes() || sessions;
      boolean right =
          processes
              ? inProcesses(screen, look, place)
              : inThisProcess(screen, look, place, options.pace());
      return right ? 0 : WRONG;
    } catch (DemoAbortedException | EngineException | HoldfastException | IOException e) {
      screen.close();
      screen.line("The demo was aborted: " + e.getMessage());
      return e instanceof LockRefusedException ? ExitCode.REFUSED : ExitCode.STORE;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return INTERRUPTED;
    }
  }

  private static boolean inThisProcess(
      DemoScreen screen, DemoStyle look, DemoStore place, DemoTiming pace)
      throws DemoAbortedException, EngineException, InterruptedException {
    try (DemoSetup stage = new DemoSetup(screen, look, place)) {
      stage.timeline.introduce("Holdfast: one lock, four machines, " + stage.where() + ".", TEXT);
      new SingleProcessStory(stage, pace).tell();
      stage.watch.close();
      screen.close();
      DemoSummary summary = new DemoSummary(stage);
      summary.print(screen, look);
      return summary.isRight();
    }
  }

  private static boolean inProcesses(DemoScreen screen, DemoStyle look, DemoStore place)
      throws DemoAbortedException, EngineException, InterruptedException, IOException {
    try (WorkerProcesses workers = WorkerProcesses.start(place)) {
      ProcessStory story =
          new ProcessStory(workers, new Timeline(screen, look, WorkerProcesses.NAMES), look);
      story.tell();
      screen.close();
      story.sumUp(screen);
      return story.isRight();
    }
  }
}
