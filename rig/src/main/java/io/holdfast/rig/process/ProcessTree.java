package io.holdfast.rig.process;

import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process and all its descendants, so that a fault hits all of them. PostgreSQL has many
 * processes, and a fault of a machine hits each.
 */
final class ProcessTree {
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final Path PROC = Path.of("/proc");

  private final ProcessHandle root;

  ProcessTree(ProcessHandle root) {
    this.root = root;
  }

  /** Sends SIGKILL to all members and returns when all are gone. */
  void kill9() {
    // Read before the first kill: orphans can no longer be found.
    kill9(members());
  }

  private static void kill9(List<ProcessHandle> members) {
    // The root first, so that it cannot start new ones.
    members.forEach(ProcessHandle::destroyForcibly);
    Await.until(
        "the end of " + members, BOUND, () -> members.stream().noneMatch(ProcessTree::exists));
  }

  /** Sends SIGSTOP to all members and returns when every thread of every one has stopped. */
  void pause() {
    List<ProcessHandle> members = members();
    while (true) {
      send(Signal.STOP, members);
      List<ProcessHandle> stopping = members;
      Await.until(
          "the stop of " + stopping,
          BOUND,
          () -> stopping.stream().allMatch(member -> !exists(member) || isStopped(member)));
      List<ProcessHandle> now = members();
      if (members.containsAll(now)) {
        return;
      }
      members = now;
    }
  }

  /** Sends SIGCONT to all members. */
  void resume() {
    send(Signal.CONT, members());
  }

  /** Asks the root to end; after the bound, kills the remaining processes, orphans included. */
  void stop(Signal signal, Duration bound) {
    List<ProcessHandle> members = members();
    send(signal, List.of(root));
    // A paused process sees no other signal before this one.
    send(Signal.CONT, members);
    if (!Await.within(bound, () -> members.stream().noneMatch(ProcessTree::exists))) {
      kill9(members);
    }
  }

  /** Root first. */
  private List<ProcessHandle> members() {
    List<ProcessHandle> members = new ArrayList<>();
    members.add(root);
    root.descendants().forEach(members::add);
    return members;
  }

  private static void send(Signal signal, List<ProcessHandle> members) {
    try {
      signal.send(members);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An orphan that nobody has reaped yet is as good as gone: it holds no port and no file. */
  private static boolean exists(ProcessHandle process) {
    return process.isAlive() && state(PROC.resolve(process.pid() + "/stat")) != 'Z';
  }

  private static boolean isStopped(ProcessHandle process) {
    Path tasks = PROC.resolve(process.pid() + "/task");
    if (!Files.isDirectory(tasks)) {
      return true; // no /proc on this system: the kernel's word for the signal has to do
    }
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        char state = state(thread.resolve("stat"));
        if (state != 'T' && state != 't' && state != '?') {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      return !process.isAlive(); // it may have ended while we looked
    }
  }

  /** The letter behind the name, which is in parentheses and may itself contain some. */
  private static char state(Path stat) {
    try {
      String line = Files.readString(stat);
      return line.charAt(line.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return '?'; // ended meanwhile, or no /proc
    }
  }
}
