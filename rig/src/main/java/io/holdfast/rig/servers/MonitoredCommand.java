package io.holdfast.rig.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One command that a Redis server ran.
 *
 * @param client its address, or {@code lua} for what a script called
 * @param words the command and its arguments; bytes that are not ASCII stay escaped
 */
public record MonitoredCommand(String client, List<String> words) {
  /** Copies the list. */
  public MonitoredCommand {
    words = List.copyOf(words);
  }

  /** The command's name in capitals. */
  public String name() {
    return words.get(0).toUpperCase(Locale.ROOT);
  }

  /** Whether a script called it. */
  public boolean isFromScript() {
    return client.equals("lua");
  }

  /** Reads a line such as {@code 1690000000.123456 [0 127.0.0.1:60866] "set" "k" "v"}. */
  static MonitoredCommand parse(String line) {
    int open = line.indexOf('[');
    int close = line.indexOf("] \"", open);
    if (open < 0 || close < 0) {
      throw new IllegalArgumentException("not a line of MONITOR: " + line);
    }
    String client = line.substring(line.indexOf(' ', open) + 1, close);
    return new MonitoredCommand(client, words(line.substring(close + 2)));
  }

  private static List<String> words(String quoted) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inside = false;
    for (int i = 0; i < quoted.length(); i++) {
      char c = quoted.charAt(i);
      if (c == '"') {
        if (inside) {
          words.add(word.toString());
          word.setLength(0);
        }
        inside = !inside;
      } else if (c == '\\') {
        i++;
        word.append(unescaped(quoted.charAt(i)));
      } else if (inside) {
        word.append(c);
      }
    }
    return words;
  }

  private static String unescaped(char c) {
    return switch (c) {
      case 'n' -> "\n";
      case 'r' -> "\r";
      case 't' -> "\t";
      case '"', '\\' -> String.valueOf(c);
      default -> "\\" + c;
    };
  }
}
