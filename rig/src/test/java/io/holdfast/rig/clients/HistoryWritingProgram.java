package io.holdfast.rig.clients;

import io.holdfast.rig.history.Event;
import io.holdfast.rig.history.HistoryWriter;
import java.nio.file.Path;

/** A client that writes its history without a pause until someone ends it. */
final class HistoryWritingProgram {
  private HistoryWritingProgram() {}

  public static void main(String[] arguments) {
    HistoryWriter writer = HistoryWriter.create(Path.of(arguments[0]), arguments[1]);
    System.out.println("writing");
    for (long i = 0; ; i++) {
      writer.trace("L", "hold-" + i).acquired(i, Event.NO_DEADLINE);
    }
  }
}
