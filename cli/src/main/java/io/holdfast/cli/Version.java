package io.holdfast.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.IVersionProvider;

/** Which program this is, and which Java it runs on. Read only when somebody asks. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() throws IOException {
    try (InputStream file = Version.class.getResourceAsStream("version.txt")) {
      String number =
          file == null ? "?" : new String(file.readAllBytes(), StandardCharsets.UTF_8).strip();
      return new String[] {"holdfast " + number + ", on Java " + Runtime.version()};
    }
  }
}
