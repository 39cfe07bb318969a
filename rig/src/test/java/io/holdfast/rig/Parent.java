package io.holdfast.rig;

import java.nio.file.Path;
import java.time.Duration;

/** A client that starts a client of its own and forgets to close it. */
final class Parent {
  private Parent() {}

  public static void main(String[] arguments) throws InterruptedException {
    ClientJvm child = ClientJvm.start("child", Listener.class, "deaf");
    child.awaitLine("listening", Duration.ofSeconds(20));
    System.out.println("child " + child.pid());
    System.out.println("folder " + Path.of(System.getProperty("java.io.tmpdir")));
    Listener.main(arguments);
  }
}
