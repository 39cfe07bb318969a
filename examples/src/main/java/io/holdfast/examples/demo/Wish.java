package io.holdfast.examples.demo;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * What the command line asks for.
 *
 * @param store the URI of a store, if it is not to be this process
 * @param processes whether the workers are processes, of which one is killed
 */
record Wish(
    boolean help, Optional<String> store, boolean processes, boolean fast, boolean noColour) {

  static final String USAGE =
      """
      Usage: ./holdfast demo [options]

      Four workers fight for one lock: who gets in, what a lease is, and what happens
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

      Stores that keep a lock with a session have it lost with a process alone: there
      the workers are always processes.
      Ends with 0 if everything was as it must be, with 1 if not, with 64 for a wrong
      option, with 69 if it had to break off, as when the store does not answer, with
      77 if the store refuses, and with 130 after Ctrl-C.

      Examples:
        ./holdfast demo
        ./holdfast demo --processes
        ./holdfast demo --store redis://localhost --fast
        ./holdfast demo --store -      over the store in HOLDFAST_STORE
      """;

  private static final String STORE = "--store";

  /** The usual demo. */
  static Wish plain() {
    return new Wish(false, Optional.empty(), false, false, false);
  }

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException naming what is wrong; an address is not quoted
   */
  static Wish parse(List<String> words) {
    Wish wish = plain();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals(STORE)) {
        if (i + 1 == words.size()) {
          throw new IllegalArgumentException("--store needs a URI");
        }
        wish = wish.withStore(words.get(++i));
      } else if (word.startsWith(STORE + "=")) {
        wish = wish.withStore(word.substring(STORE.length() + 1));
      } else {
        wish = wish.with(word);
      }
    }
    return wish;
  }

  private Wish with(String option) {
    return switch (option) {
      case "--help", "-h" -> new Wish(true, store, processes, fast, noColour);
      case "--processes" -> new Wish(help, store, true, fast, noColour);
      case "--fast" -> new Wish(help, store, processes, true, noColour);
      case "--no-color" -> new Wish(help, store, processes, fast, true);
      default -> throw new IllegalArgumentException("no such option: " + option);
    };
  }

  Wish withStore(String value) {
    String uri = GivenStore.uri(value, System.getenv("HOLDFAST_STORE"));
    return new Wish(help, Optional.of(uri), processes, fast, noColour);
  }

  Wish withProcesses() {
    return new Wish(help, store, true, fast, noColour);
  }

  Wish quick() {
    return new Wish(help, store, processes, true, noColour);
  }

  Pace pace() {
    return fast ? Pace.FAST : Pace.USUAL;
  }

  /** Where the lock is. Processes without a store share a file. */
  Place place(Scratch scratch) throws IOException {
    if (store.isPresent()) {
      return Place.at(store.get());
    }
    return processes ? Place.at("jdbc:sqlite:" + scratch.file("demo.db")) : Place.here();
  }
}
