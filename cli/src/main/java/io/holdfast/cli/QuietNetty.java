package io.holdfast.cli;

/**
 * Keeps Netty, under the ZooKeeper and etcd clients, from triggering warnings of newer JDKs. They
 * warn of memory through {@code Unsafe} and of native libraries, of which there are none in the
 * jar. Both only make large transfers quicker. To be called before its first class is loaded.
 */
public final class QuietNetty {

  private QuietNetty() {}

  /** Leaves alone what somebody has set with {@code -D}. */
  public static void install() {
    setIfAbsent("io.netty.noUnsafe");
    setIfAbsent("io.netty.transport.noNative");
  }

  private static void setIfAbsent(String property) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, "true");
    }
  }
}
