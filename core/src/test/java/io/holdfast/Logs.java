package io.holdfast;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Captures what the runtime logs while this is open, instead of printing it. */
final class Logs implements AutoCloseable {

  /** Kept: the JDK forgets loggers without a reference. */
  private static final Logger LOGGER = Logger.getLogger("io.holdfast");

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          lines.add(record.getLevel() + " " + record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  Logs() {
    handler.setLevel(Level.ALL);
    LOGGER.addHandler(handler);
    LOGGER.setUseParentHandlers(false);
  }

  /** The lines that contain this. */
  List<String> with(String part) {
    return lines.stream().filter(line -> line.contains(part)).toList();
  }

  @Override
  public void close() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }
}
