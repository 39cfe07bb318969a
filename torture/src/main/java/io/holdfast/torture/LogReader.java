package io.holdfast.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the log of one process while it grows. For one thread. */
final class LogReader {
  private static final int CHUNK = 1 << 20;

  /** What a process said of its client at its end. */
  record EndHealth(String status, int held, int waiting) {}

  private final Path path;
  private final String process;
  private final int worker;
  private final Map<Long, Call> byNumber = new HashMap<>();
  private final List<Call> calls = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();
  private final List<Call> refusedWhileHeld = new ArrayList<>();
  private final List<EndHealth> health = new ArrayList<>();
  private final StringBuilder rest = new StringBuilder();
  private long position;
  private long startedAt;
  private boolean ended;
  private int grants;

  LogReader(Path path, String process, int worker) {
    this.path = path;
    this.process = process;
    this.worker = worker;
  }

  /** Takes in what is new. */
  void read() {
    if (!Files.exists(path)) {
      return;
    }
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(CHUNK);
      file.position(position);
      while (file.read(bytes) > 0) {
        bytes.flip();
        position += bytes.remaining();
        // Only ASCII is written, so a chunk may end anywhere.
        rest.append(UTF_8.decode(bytes));
        bytes.clear();
        takeLines();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void takeLines() {
    int from = 0;
    for (int end = rest.indexOf("\n"); end >= 0; end = rest.indexOf("\n", from)) {
      take(rest.substring(from, end));
      from = end + 1;
    }
    rest.delete(0, from);
  }

  private void take(String line) {
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "start" -> startedAt = Long.parseLong(words[1]);
      case "end" -> ended = true;
      case "call" -> {
        Call call =
            new Call(
                process,
                worker,
                TestedLock.of(words[2]),
                words[3].equals("exclusive"),
                Long.parseLong(words[4]) * 1_000_000,
                Long.parseLong(words[5]));
        byNumber.put(Long.parseLong(words[1]), call);
        calls.add(call);
      }
      case "granted" -> {
        Call call = call(words);
        call.granted = Long.parseLong(words[2]);
        call.token = Long.parseLong(words[3]);
        call.holdId = words[4];
        grants++;
      }
      case "not-granted" -> {
        Call call = call(words);
        call.refused = Long.parseLong(words[2]);
        call.why = words[3];
        byNumber.remove(Long.parseLong(words[1]));
      }
      case "believed" -> {
        Call call = call(words);
        call.believed = Math.max(call.believed, Long.parseLong(words[2]));
      }
      case "disbelieved" -> call(words).disbelieved = Long.parseLong(words[2]);
      case "told" -> call(words).told = Long.parseLong(words[2]);
      case "releasing" -> call(words).released = Long.parseLong(words[2]);
      case "released" -> {} // the callback of a loss may still come
      case "refused-while-held" -> refusedWhileHeld.add(call(words));
      case "health" ->
          health.add(
              new EndHealth(words[2], Integer.parseInt(words[3]), Integer.parseInt(words[4])));
      case "trouble" -> troubles.add(line);
      default -> throw new IllegalStateException("not a line of a log: " + line);
    }
  }

  private Call call(String[] words) {
    Call call = byNumber.get(Long.parseLong(words[1]));
    if (call == null) {
      throw new IllegalStateException(
          path.getFileName() + ": a line without its call: " + String.join(" ", words));
    }
    return call;
  }

  String process() {
    return process;
  }

  int worker() {
    return worker;
  }

  List<Call> calls() {
    return calls;
  }

  List<String> troubles() {
    return troubles;
  }

  /** Holders that the guard refused while they believed. */
  List<Call> refusedWhileHeld() {
    return refusedWhileHeld;
  }

  List<EndHealth> health() {
    return health;
  }

  /** When it began to write, or 0. */
  long startedAt() {
    return startedAt;
  }

  /** Whether it ended in order. */
  boolean ended() {
    return ended;
  }

  int grants() {
    return grants;
  }
}
