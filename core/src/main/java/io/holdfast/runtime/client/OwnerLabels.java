package io.holdfast.runtime.client;

import io.holdfast.HoldfastOptions;
import io.holdfast.runtime.acquire.AcquireRequest;
import io.holdfast.spi.Owner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Creates the owner labels of this process. */
final class OwnerLabels {

  private static final String HOST = host();
  private static final long PID = ProcessHandle.current().pid();

  private final String app;
  private final String text;

  OwnerLabels(HoldfastOptions options) {
    this.app = options.app();
    this.text = options.text();
  }

  Owner label(AcquireRequest request) {
    HoldfastOptions options = request.view().options();
    String shownApp = options.app().isEmpty() ? app : options.app();
    String shownText = options.text().isEmpty() ? text : options.text();
    return new Owner(shownApp, HOST, PID, request.thread(), shownText);
  }

  /** Asks the kernel first: the resolver can take seconds where DNS is broken. */
  private static String host() {
    Path kernel = Path.of("/proc/sys/kernel/hostname");
    try {
      if (Files.isReadable(kernel)) {
        return Files.readString(kernel).strip();
      }
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown-host";
    } catch (IOException e) {
      return "unreadable-host";
    }
  }
}
