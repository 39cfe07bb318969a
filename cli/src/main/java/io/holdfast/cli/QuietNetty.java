package io.holdfast.cli;

/**
 * Keeps Netty, which the clients of ZooKeeper and etcd use, from what newer JDKs warn of: memory
 * through {@code Unsafe}, and native libraries, of which there are none in the jar. Both only make
 * large transfers quicker. To be called before its first class is loaded.
 */
final class QuietNetty {

  private QuietNetty() {}

  /** Leaves alone what somebody has set with {@code -D}. */
  static void install() {
    setIfAbsent("io.netty.noUnsafe");
    setIfAbsent("io.netty.transport.noNative");
  }

  private static void setIfAbsent(String property) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, "true");
    }
  }
}
