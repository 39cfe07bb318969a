package io.holdfast.examples.demo;

import io.holdfast.HoldfastException;
import io.holdfast.LockRefusedException;
import io.holdfast.spi.EngineException;
import java.io.IOException;
import java.util.List;

/** Shows locks at work in the terminal, and fails if they do not do what they must. */
public final class Demo {

  private static final int WRONG = 1;

  // The same codes as the program has.
  static final int BAD_OPTION = 64;
  static final int BROKEN_OFF = 69;
  static final int REFUSED = 77;
  static final int INTERRUPTED = 130;

  private static final String TEXT =
      """
      Four workers pay coins into a jar. Each is a client of its own, as if on another
      machine. To pay is to look, work and write back: that takes the lock "jar".
      A lease of 2 s is renewed while its holder lives. Every grant has a token that
      is larger than all before; the guard of the jar refuses whoever shows an older.
      """;

  private Demo() {}

  /** Runs the demo and ends the JVM. */
  public static void main(String[] args) {
    try {
      Wish wish = Wish.parse(List.of(args));
      if (wish.help()) {
        System.out.print(Wish.USAGE);
        return;
      }
      Look look = Look.ofStandardOutput(wish.noColour());
      Screen screen = new Screen(System.out, look.live());
      // After Ctrl-C too the terminal gets its cursor back. Nothing else goes on: all are daemons,
      // and processes end with their standard input.
      Runtime.getRuntime().addShutdownHook(new Thread(screen::close, "demo-restore"));
      System.exit(run(screen, look, wish));
    } catch (IllegalArgumentException e) {
      System.err.print("demo: " + e.getMessage() + "\n\n" + Wish.USAGE);
      System.exit(BAD_OPTION);
    }
  }

  /** Runs it and answers the exit code. */
  static int run(Screen screen, Look look, Wish wish) {
    try (Scratch scratch = new Scratch()) {
      Place place = wish.place(scratch);
      // Asked in any case: a store that does not answer is found before the story begins.
      boolean sessions = place.keepsSessions();
      boolean processes = wish.processes() || sessions;
      boolean right =
          processes
              ? inProcesses(screen, look, place)
              : inThisProcess(screen, look, place, wish.pace());
      return right ? 0 : WRONG;
    } catch (BrokenOffException | EngineException | HoldfastException | IOException e) {
      screen.close();
      screen.line("The demo broke off: " + e.getMessage());
      return e instanceof LockRefusedException ? REFUSED : BROKEN_OFF;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return INTERRUPTED;
    }
  }

  private static boolean inThisProcess(Screen screen, Look look, Place place, Pace pace)
      throws BrokenOffException, EngineException, InterruptedException {
    try (Stage stage = new Stage(screen, look, place)) {
      stage.timeline.introduce("Holdfast: one lock, four machines, " + stage.where() + ".", TEXT);
      new Story(stage, pace).tell();
      stage.watch.close();
      screen.close();
      Summary summary = new Summary(stage);
      summary.print(screen, look);
      return summary.isRight();
    }
  }

  private static boolean inProcesses(Screen screen, Look look, Place place)
      throws BrokenOffException, EngineException, InterruptedException, IOException {
    try (Crew crew = Crew.start(place)) {
      ProcessStory story = new ProcessStory(crew, new Timeline(screen, look, Crew.NAMES), look);
      story.tell();
      screen.close();
      story.sumUp(screen);
      return story.isRight();
    }
  }
}
