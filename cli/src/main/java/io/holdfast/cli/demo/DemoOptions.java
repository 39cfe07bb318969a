package io.holdfast.cli.demo;

import io.holdfast.cli.store.StoreArgument;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The options of the demo.
 *
 * @param store the URI of a store; empty for a store in this process
 * @param processes whether the workers are processes, one of which is killed
 */
record DemoOptions(
    boolean help, Optional<String> store, boolean processes, boolean fast, boolean noColour) {

  static final String USAGE =
      """
      Usage: ./holdfast demo [options]

      Four workers compete for one lock: who gets in, what a lease is, and what happens
      to a worker that stops in the middle and wakes up too late. Needs no server.

        --store URI  over this store, such as redis://localhost, jdbc:sqlite:locks.db
                     or zookeeper://localhost; "-" is the one in HOLDFAST_STORE. One
                     with a password is taken from there alone, where the other
                     users of the machine do not see it
        --processes  the workers are processes: one is killed with -9, one is stopped.
                     Without --store they share a file of their own
        --fast       less time to read: 5 seconds instead of 13
        --no-color   plain lines, as with NO_COLOR or when this is not a terminal
        --help       this text

      With a store that ties locks to sessions, only the end of a process loses a
      lock: there the workers are always processes.
      Ends with 0 if all checks passed, with 1 if not, with 64 for a wrong option,
      with 69 if it was aborted, as when the store does not reply, with 77 if the
      store refuses, and with 130 after Ctrl-C.

      Examples:
        ./holdfast demo
        ./holdfast demo --processes
        ./holdfast demo --store redis://localhost --fast
        ./holdfast demo --store -      over the store in HOLDFAST_STORE
      """;

  private static final String STORE = "--store";

  /** The usual demo. */
  static DemoOptions plain() {
    return new DemoOptions(false, Optional.empty(), false, false, false);
  }

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException naming what is wrong; an address is not quoted
   */
  static DemoOptions parse(List<String> words) {
    DemoOptions options = plain();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals(STORE)) {
        if (i + 1 == words.size()) {
          throw new IllegalArgumentException("--store needs a URI");
        }
        options = options.withStore(words.get(++i));
      } else if (word.startsWith(STORE + "=")) {
        options = options.withStore(word.substring(STORE.length() + 1));
      } else {
        options = options.with(word);
      }
    }
    return options;
  }

  private DemoOptions with(String option) {
    return switch (option) {
      case "--help", "-h" -> new DemoOptions(true, store, processes, fast, noColour);
      case "--processes" -> new DemoOptions(help, store, true, fast, noColour);
      case "--fast" -> new DemoOptions(help, store, processes, true, noColour);
      case "--no-color" -> new DemoOptions(help, store, processes, fast, true);
      default -> throw new IllegalArgumentException("no such option: " + option);
    };
  }

  DemoOptions withStore(String value) {
    String uri = StoreArgument.uri(value, System.getenv("HOLDFAST_STORE"));
    return new DemoOptions(help, Optional.of(uri), processes, fast, noColour);
  }

  DemoOptions withProcesses() {
    return new DemoOptions(help, store, true, fast, noColour);
  }

  DemoOptions quick() {
    return new DemoOptions(help, store, processes, true, noColour);
  }

  DemoTiming pace() {
    return fast ? DemoTiming.FAST : DemoTiming.USUAL;
  }

  /** Where the lock is. Processes without a store share a file. */
  DemoStore place(TemporaryFolder scratch) throws IOException {
    if (store.isPresent()) {
      return DemoStore.at(store.get());
    }
    return processes ? DemoStore.at("jdbc:sqlite:" + scratch.file("demo.db")) : DemoStore.here();
  }
}
