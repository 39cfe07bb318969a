package io.holdfast.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogManager;

/**
 * Keeps the logs of drivers and clients off the terminal.
 *
 * <p>Holdfast's own messages contain what matters. Java's logging creates an instance of this class
 * at its first use.
 */
public final class QuietLogs {

  /** For {@link LogManager}. */
  public QuietLogs() throws IOException {
    LogManager.getLogManager()
        .readConfiguration(
            new ByteArrayInputStream(".level=OFF".getBytes(StandardCharsets.US_ASCII)));
  }

  /** Costs nothing until somebody logs. A configuration that the user gave is left alone. */
  public static void install() {
    if (System.getProperty("java.util.logging.config.file") == null
        && System.getProperty("java.util.logging.config.class") == null) {
      System.setProperty("java.util.logging.config.class", QuietLogs.class.getName());
    }
  }
}
