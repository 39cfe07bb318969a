package io.holdfast.rig.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The signals that the rig sends; the JDK itself can only send TERM and KILL. */
public enum Signal {
  /** Please end. */
  TERM,
  /** Please end; the fast shutdown of PostgreSQL. */
  INT,
  /** Stop where you are; cannot be refused. */
  STOP,
  /** Go on. */
  CONT;

  private static final long BOUND_SECONDS = 10;

  /** Sends it to all of them; a process that is already gone is skipped. */
  void send(Collection<ProcessHandle> processes) throws IOException {
    // The shell's own kill, because the program of that name is missing on slim systems.
    List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" \"$@\"", name()));
    processes.forEach(process -> command.add(Long.toString(process.pid())));
    Process kill =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!kill.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
        kill.destroyForcibly();
        throw new IOException("kill -s " + name() + " did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while sending " + name(), e);
    }
  }
}
