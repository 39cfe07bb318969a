package io.holdfast.examples.demo;

import io.holdfast.spi.EngineException;
import java.util.Arrays;
import java.util.List;

/** Shows locks at work in the terminal, and fails if they do not do what they must. */
public final class Demo {

  private static final String USAGE =
      """
      Usage: ./holdfast demo [options]

      Four workers fight for one lock: who gets in, what a lease is, and what happens
      to a worker that stops in the middle and wakes up too late. Needs no server.

        --fast       less time to read: 5 seconds instead of 13
        --no-color   plain lines, as with NO_COLOR or when this is not a terminal
        --help       this text

      Ends with 0 if everything was as it must be, with 1 if not.
      """;

  private static final List<String> OPTIONS = List.of("--fast", "--no-color");

  private Demo() {}

  /** Runs the demo and ends the JVM. */
  public static void main(String[] args) {
    List<String> asked = Arrays.asList(args);
    if (asked.contains("--help") || asked.contains("-h")) {
      System.out.print(USAGE);
      return;
    }
    for (String option : asked) {
      if (!OPTIONS.contains(option)) {
        System.err.print("no such option: " + option + "\n\n" + USAGE);
        System.exit(2);
      }
    }
    Look look = Look.ofStandardOutput(asked.contains("--no-color"));
    Pace pace = asked.contains("--fast") ? Pace.FAST : Pace.USUAL;
    Screen screen = new Screen(System.out, look.live());
    // After Ctrl-C too the terminal gets its cursor back. Nothing else goes on: all are daemons.
    Runtime.getRuntime().addShutdownHook(new Thread(screen::close, "demo-restore"));
    System.exit(run(screen, look, pace));
  }

  /** Runs it and answers the exit code. */
  static int run(Screen screen, Look look, Pace pace) {
    try (Stage stage = new Stage(screen, look)) {
      stage.timeline.introduce();
      new Story(stage, pace).tell();
      stage.watch.close();
      screen.close();
      Summary summary = new Summary(stage);
      summary.print(screen, look);
      return summary.isRight() ? 0 : 1;
    } catch (BrokenOffException | EngineException e) {
      screen.close();
      screen.line("The demo broke off: " + e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }
}
