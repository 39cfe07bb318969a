package io.holdfast.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/**
 * Keeps what drivers and clients log off the terminal: what matters of it is in our own messages.
 * Java's logging makes an instance of this class at its first use.
 */
public final class QuietLogs {

  /** For {@link LogManager}. */
  public QuietLogs() throws IOException {
    LogManager.getLogManager()
        .readConfiguration(
            new ByteArrayInputStream(".level=OFF".getBytes(StandardCharsets.US_ASCII)));
  }

  /** Costs nothing until somebody logs. A configuration that the user gave is left alone. */
  static void install() {
    if (System.getProperty("java.util.logging.config.file") == null
        && System.getProperty("java.util.logging.config.class") == null) {
      System.setProperty("java.util.logging.config.class", QuietLogs.class.getName());
    }
  }
}
