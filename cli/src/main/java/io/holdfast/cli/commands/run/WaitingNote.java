package io.holdfast.cli.commands.run;

import io.holdfast.Health;
import io.holdfast.Holdfast;
import io.holdfast.cli.Durations;
import io.holdfast.cli.Screen;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Prints on standard error what a command waits for, once it takes a while.
 *
 * <p>On a terminal it names the holder. Everywhere it reports a store that does not reply, as
 * nothing else would distinguish that from a busy lock.
 */
final class WaitingNote implements AutoCloseable {

  private static final Duration FIRST_LOOK = Duration.ofMillis(700);

  /** Costs nothing while the store replies to the waiting acquire. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Holdfast holdfast;
  private final String name;
  private final boolean watchedBySomebody = Screen.err().isTerminal();
  private final StoreSilentNote silence = new StoreSilentNote(System.nanoTime());
  private final CountDownLatch over = new CountDownLatch(1);
  private boolean holderTold;

  private WaitingNote(Holdfast holdfast, String name) {
    this.holdfast = holdfast;
    this.name = name;
  }

  /** Begins to look; to be closed when the wait is over. */
  static WaitingNote about(Holdfast holdfast, String name) {
    WaitingNote note = new WaitingNote(holdfast, name);
    Thread thread = new Thread(note::watch, "waiting-note");
    thread.setDaemon(true);
    thread.start();
    return note;
  }

  private void watch() {
    try {
      Duration pause = FIRST_LOOK;
      while (!over.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
        look(holdfast.health());
        pause = LOOK;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(Health health) {
    long now = System.nanoTime();
    if (health.status() == Health.Status.DOWN) {
      String lasts = Durations.text(silence.lasts(now));
      if (silence.goesOn(now)) {
        say(
            "waiting for "
                + name
                + ", but for "
                + lasts
                + " "
                + health.detail()
                + "; still trying; check that the store is up, and its address");
      }
    } else if (health.status() != Health.Status.CLOSED) {
      if (silence.ends(now) && watchedBySomebody) {
        say(holdfast.traits().store() + " is reachable again");
        holderTold = false;
      }
      tellHolder();
    }
  }

  private void tellHolder() {
    if (!holderTold && watchedBySomebody) {
      holderTold = true;
      String who = HolderText.who(holdfast, name).map(each -> ", held by " + each).orElse("");
      say("waiting for " + name + who);
    }
  }

  /** Not when the wait has ended meanwhile: the command may be writing by now. */
  private void say(String text) {
    if (over.getCount() > 0) {
      Screen.say(text);
    }
  }

  @Override
  public void close() {
    over.countDown();
  }
}
