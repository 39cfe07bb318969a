package io.holdfast.rig.clients;

import java.nio.file.Path;
import java.time.Duration;

/** A client that starts a client of its own and forgets to close it. */
final class ChildStartingProgram {
  private ChildStartingProgram() {}

  public static void main(String[] arguments) throws InterruptedException {
    ClientJvm child = ClientJvm.start("child", ListeningProgram.class, "deaf");
    child.awaitLine("listening", Duration.ofSeconds(20));
    System.out.println("child " + child.pid());
    System.out.println("folder " + Path.of(System.getProperty("java.io.tmpdir")));
    ListeningProgram.main(arguments);
  }
}
