package io.holdfast.cli.run;

import io.holdfast.Holdfast;
import io.holdfast.cli.Screen;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells somebody at a terminal what is waited for, once it takes a while. */
final class WaitingNote implements AutoCloseable {

  private static final long AFTER_MILLIS = 700;

  private final CountDownLatch over = new CountDownLatch(1);

  private WaitingNote() {}

  static WaitingNote about(Holdfast holdfast, String name) {
    WaitingNote note = new WaitingNote();
    if (Screen.err().isTerminal()) {
      Thread thread = new Thread(() -> note.show(holdfast, name), "waiting-note");
      thread.setDaemon(true);
      thread.start();
    }
    return note;
  }

  private void show(Holdfast holdfast, String name) {
    try {
      if (!over.await(AFTER_MILLIS, TimeUnit.MILLISECONDS)) {
        String text =
            Holders.who(holdfast, name).map(who -> name + ", held by " + who).orElse(name);
        if (over.getCount() > 0) {
          Screen.err().line("holdfast: waiting for " + text);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    over.countDown();
  }
}
