package io.holdfast.rig.servers;

import io.holdfast.rig.process.ServerLocation;
import io.holdfast.rig.process.ServerSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The data folder of a database server, created once and copied for each server. It is made in a
 * JVM when first needed; a copy takes a fraction of the time. It is gone when the JVM ends.
 */
final class DataTemplate {
  static final String DATA = "data";

  private static final Duration COPYING = Duration.ofSeconds(60);

  private final String name;
  private final String user;
  private final ServerSpec.Preparation making;
  private @Nullable ServerLocation original;

  /**
   * Makes nothing yet.
   *
   * @param user whom the servers run as if the tests run as root
   * @param making puts the folder {@code data} into a place
   */
  DataTemplate(String name, String user, ServerSpec.Preparation making) {
    this.name = name;
    this.user = user;
    this.making = making;
  }

  /** Puts a copy into this place; it belongs to the user of the servers. */
  void copyInto(ServerLocation place) throws Exception {
    String from = original().folder().resolve(DATA).toString();
    place.run(COPYING, List.of("cp", "-a", from, place.folder().resolve(DATA).toString()));
  }

  private synchronized ServerLocation original() throws Exception {
    ServerLocation made = original;
    if (made == null) {
      made = new ServerLocation(name + "-template", 0, Optional.of(user));
      try {
        making.in(made);
      } catch (Exception | AssertionError e) {
        made.delete();
        throw e;
      }
      original = made;
    }
    return made;
  }
}
