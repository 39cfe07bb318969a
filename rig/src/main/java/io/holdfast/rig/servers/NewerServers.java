package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Newer versions of Valkey, Redis and etcd, fetched by {@code ./holdfast test -Dnewer}. */
public final class NewerServers {

  private NewerServers() {}

  /**
   * The same server, of the program that was fetched.
   *
   * @param program such as {@code valkey-server}
   * @throws IllegalStateException when the server is started and the program was not fetched
   */
  public static ServerSpec of(ServerSpec spec, String program) {
    return spec.withCommand(
        place -> {
          List<String> command = new ArrayList<>(spec.command().at(place));
          command.set(0, find(program).toString());
          return command;
        });
  }

  private static Path find(String program) {
    return FetchedServers.program("newer", program)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "there is no newer "
                        + program
                        + " in "
                        + FetchedServers.home()
                        + ": ./holdfast test -Dnewer --yes fetches it"));
  }
}
