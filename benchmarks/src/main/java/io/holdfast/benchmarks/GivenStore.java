package io.holdfast.benchmarks;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A store as the command line names it. */
final class GivenStore {

  private static final Pattern LOGIN = Pattern.compile("//[^/?]*:[^/?]*@");
  private static final Pattern PARAMETER =
      Pattern.compile(
          "[?&;(,][^=&;(),]*(password|passwd|pwd|secret|token)[^=&;(),]*=",
          Pattern.CASE_INSENSITIVE);

  private GivenStore() {}

  /**
   * Its address: the word itself, or what the environment has if that is "-".
   *
   * @param environment the value of {@code HOLDFAST_STORE}
   * @throws BadOptionException when the word has a password in it, which everybody on the machine
   *     could read; it is not quoted
   */
  static String uri(String word, @Nullable String environment) {
    if (word.equals("-")) {
      if (environment == null || environment.isBlank()) {
        throw new BadOptionException("--store - needs a URI in HOLDFAST_STORE");
      }
      return environment.strip();
    }
    if (LOGIN.matcher(word).find() || PARAMETER.matcher(word).find()) {
      throw new BadOptionException(
          "a password on the command line can be read by everybody on this machine: put the address"
              + " into HOLDFAST_STORE and write --store -");
    }
    return word;
  }
}
