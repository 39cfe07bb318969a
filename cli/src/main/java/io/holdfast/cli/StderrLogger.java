package io.holdfast.cli;

import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** Prints Holdfast's own warnings as lines on standard error. */
public final class StderrLogger extends System.LoggerFinder {

  /** For {@link java.util.ServiceLoader}. */
  public StderrLogger() {}

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new Lines(name);
  }

  private record Lines(String name) implements System.Logger {

    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return name.startsWith("io.holdfast")
          && level != Level.OFF
          && level.getSeverity() >= Level.WARNING.getSeverity();
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        String text = message + (thrown == null ? "" : ": " + thrown);
        System.err.println("holdfast: " + Screen.safe(text));
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object @Nullable ... parameters) {
      log(level, bundle, format, (Throwable) null);
    }
  }
}
