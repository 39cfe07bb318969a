package io.holdfast.cli.commands.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A process and all its descendants.
 *
 * <p>Descendants are found by their parents and, where the system shows it, by a mark in their
 * environment: a child whose parent has ended has no other trace of its origin.
 */
final class CommandProcessTree {

  /** The variable that carries the marks: those of the runs within which a process runs. */
  static final String VARIABLE = "HOLDFAST_RUN";

  /** How often KILL is sent at most. */
  static final int ROUNDS = 200;

  private static final long PAUSE_MILLIS = 5;

  private final ProcessHandle root;
  private final String mark;

  CommandProcessTree(ProcessHandle root, String mark) {
    this.root = root;
    this.mark = mark;
  }

  /** All that are alive. */
  List<ProcessHandle> members() {
    Set<ProcessHandle> all = new LinkedHashSet<>();
    all.add(root);
    root.descendants().forEach(all::add);
    ProcessHandle.allProcesses().filter(each -> isMarked(each.pid())).forEach(all::add);
    List<ProcessHandle> alive = new ArrayList<>(all);
    alive.removeIf(each -> !each.isAlive() || ProcFiles.isZombie(each.pid()));
    return alive;
  }

  private boolean isMarked(long pid) {
    String environment = ProcFiles.environment(pid);
    int at =
        environment.startsWith(VARIABLE + "=") ? 0 : environment.indexOf("\0" + VARIABLE + "=");
    int end = at < 0 ? -1 : environment.indexOf('\0', at + 1);
    return end > 0 && environment.substring(at, end).contains(mark);
  }

  /** Sends a signal to all; the JDK itself can only send two. */
  void signal(String name) {
    List<ProcessHandle> members = members();
    if (members.isEmpty()) {
      return;
    }
    // The shell's own kill, because the program of that name is missing on slim systems.
    List<String> line = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" \"$@\"", name));
    members.forEach(member -> line.add(Long.toString(member.pid())));
    try {
      Process kill =
          new ProcessBuilder(line)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      kill.onExit().orTimeout(1, TimeUnit.SECONDS).join();
    } catch (IOException | RuntimeException e) {
      members.forEach(ProcessHandle::destroy);
    }
  }

  /**
   * Sends KILL to all, again and again, as they may be starting others meanwhile.
   *
   * @return the processes that still exist after a second, which the kernel does not let go
   */
  List<ProcessHandle> kill() {
    List<ProcessHandle> members = members();
    for (int i = 0; i < ROUNDS && !members.isEmpty(); i++) {
      members.forEach(ProcessHandle::destroyForcibly);
      UninterruptibleSleep.millis(PAUSE_MILLIS);
      members = members();
    }
    return members;
  }
}
