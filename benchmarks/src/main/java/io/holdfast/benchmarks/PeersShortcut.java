package io.holdfast.benchmarks;

import io.holdfast.benchmarks.suites.Suite;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.bench.StoreKind;
import io.holdfast.cli.store.StoreArgument;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code --peers} without names: the suite of the store, which has the libraries there in it. */
final class PeersShortcut {

  private static final String OPTION = "--peers";

  private PeersShortcut() {}

  /**
   * The same line with the suite in its place.
   *
   * @param environment the value of {@code HOLDFAST_STORE}, for when no store is named
   * @throws CliException when there is no suite of that store; it is not quoted
   */
  static List<String> asSuite(List<String> words, @Nullable String environment) {
    int at = words.indexOf(OPTION);
    if (at < 0 || (at + 1 < words.size() && !words.get(at + 1).startsWith("-"))) {
      return words;
    }
    List<String> line = new ArrayList<>(words);
    line.remove(at);
    if (!line.isEmpty() && Suite.named(line.get(0)).isPresent()) {
      return line; // its races have them already
    }
    boolean named = line.stream().anyMatch(word -> word.split("=", 2)[0].equals("--store"));
    boolean given = environment != null && !environment.isBlank();
    if (!named && given) {
      line.addAll(List.of("--store", "-"));
    }
    line.add(0, named || given ? suite(store(line, environment)).word() : Suite.MEMORY.word());
    return line;
  }

  /** The first one; if there are more, or it has none, that is complained of later. */
  private static String store(List<String> line, @Nullable String environment) {
    for (int i = 0; i < line.size(); i++) {
      String word = line.get(i);
      if (word.startsWith("--store=")) {
        return StoreArgument.uri(word.substring("--store=".length()), environment);
      }
      if (word.equals("--store") && i + 1 < line.size()) {
        return StoreArgument.uri(line.get(i + 1), environment);
      }
    }
    throw new CliException(ExitCode.USAGE, "--store needs a value; see --help");
  }

  private static Suite suite(String uri) {
    if (uri.startsWith("memory:")) {
      return Suite.MEMORY;
    }
    return StoreKind.of(uri)
        .flatMap(kind -> suites().filter(s -> s.store().equals(Optional.of(kind))).findFirst())
        .orElseThrow(
            () ->
                new CliException(
                    ExitCode.USAGE,
                    "there is no suite with other libraries over such a store: name them, as"
                        + " --peers a,b; see --help"));
  }

  private static Stream<Suite> suites() {
    return Stream.of(Suite.values());
  }
}
