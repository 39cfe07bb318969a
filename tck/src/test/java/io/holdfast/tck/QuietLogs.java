package io.holdfast.tck;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Hundreds of planned faults are no news: the warnings of them would hide what is. */
public final class QuietLogs implements LauncherSessionListener {

  /** Kept, as a logger that nobody keeps is forgotten with its level. */
  private static final Logger OURS = Logger.getLogger("io.holdfast");

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    OURS.setLevel(Level.SEVERE);
  }
}
