package io.holdfast.cli.commands.inspect;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ErrorText;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Json;
import io.holdfast.cli.Screen;
import io.holdfast.cli.store.XdgFolders;
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
 * The operator and the file {@code releases.log} that records forced releases. Each line is a JSON
 * object; the file is readable by this user only.
 */
record ReleaseLog(String user, String host, Path folder) {

  private static final FileAttribute<?> OURS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> OUR_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  static ReleaseLog ofThisProcess() {
    return new ReleaseLog(
        System.getProperty("user.name", "?"), hostName(), XdgFolders.state(System.getenv()));
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

  /**
   * Opens the file, before anything is done that it has to record.
   *
   * @throws CliException when that fails
   */
  Writer open() {
    Path log = folder.resolve("releases.log");
    try {
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(folder, OUR_FOLDER);
      }
      Set<StandardOpenOption> append =
          Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND, StandardOpenOption.WRITE);
      return new Writer(this, log, FileChannel.open(log, append, OURS));
    } catch (IOException e) {
      throw new CliException(
          ExitCode.REFUSED,
          "nothing was changed, as it could not be recorded in "
              + log
              + ": "
              + ErrorText.ofFile(e));
    }
  }

  /** The file while it is open. */
  record Writer(ReleaseLog operator, Path log, FileChannel file) implements AutoCloseable {

    /** Appends a line; a failure, as on a full disk, is reported on standard error. */
    void note(String store, ReleaseResult release) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("time", Instant.now());
      line.put("user", operator.user);
      line.put("host", operator.host);
      line.put("store", store);
      line.putAll(release.json());
      byte[] bytes = (Json.text(line) + "\n").getBytes(StandardCharsets.UTF_8);
      try {
        // In one write, so that two at a time do not mix their lines.
        file.write(ByteBuffer.wrap(bytes));
      } catch (IOException e) {
        Screen.say("not recorded in " + log + ": " + e.getMessage());
      }
    }

    @Override
    public void close() {
      try {
        file.close();
      } catch (IOException e) {
        Screen.say(log + ": " + e.getMessage());
      }
    }
  }
}
