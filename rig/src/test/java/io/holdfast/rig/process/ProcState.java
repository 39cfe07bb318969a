package io.holdfast.rig.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The state of a process as the kernel sees it. */
public final class ProcState {
  private ProcState() {}

  /** An orphan can stay as a zombie until its new parent reaps it. */
  public static boolean isGone(ProcessHandle process) {
    return !process.isAlive() || of(process) == 'Z';
  }

  public static boolean isStopped(ProcessHandle process) {
    return of(process) == 'T';
  }

  private static char of(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return '-';
    }
  }
}
