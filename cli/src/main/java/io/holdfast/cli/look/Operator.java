package io.holdfast.cli.look;

import io.holdfast.cli.Json;
import io.holdfast.cli.Places;
import io.holdfast.cli.Screen;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Who takes locks away, and the file in which that is kept: {@code releases.log}, a JSON object a
 * line, for this user alone.
 */
record Operator(String user, String host, Path folder) {

  private static final FileAttribute<?> OURS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> OUR_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  static Operator ofThisProcess() {
    return new Operator(
        System.getProperty("user.name", "?"), hostName(), Places.state(System.getenv()));
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "?";
    }
  }

  /** A reason that says whose it is. */
  String signed(String reason) {
    return reason + " (" + user + "@" + host + ")";
  }

  /** Adds a line; a file that cannot be written is a word on standard error and no more. */
  void note(String store, Release release) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", Instant.now());
    line.put("user", user);
    line.put("host", host);
    line.put("store", store);
    line.putAll(release.json());
    Path log = folder.resolve("releases.log");
    byte[] bytes = (Json.text(line) + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder, OUR_FOLDER);
      }
      Set<StandardOpenOption> append =
          Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.WRITE);
      // In one write, so that two at a time do not mix their lines.
      try (FileChannel file = FileChannel.open(log, append, OURS)) {
        file.write(ByteBuffer.wrap(bytes));
      }
    } catch (IOException e) {
      Screen.err().line("holdfast: not noted in " + log + ": " + e.getMessage());
    }
  }
}
