package io.holdfast.cli.commands.doctor;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The etcd versions that keep their promises; {@code docs/engines/etcd.md} gives the reasons. */
public final class EtcdVersions {

  /** The first good one of each line, for people. */
  public static final String SAFE = "3.4.42, 3.5.28 or 3.6.9";

  private static final int[][] FIRST = {{3, 4, 42}, {3, 5, 28}, {3, 6, 9}};
  private static final Pattern FORM = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

  private EtcdVersions() {}

  static boolean isSafe(String version) {
    Matcher matcher = FORM.matcher(version);
    if (!matcher.matches()) {
      return false;
    }
    int major = Integer.parseInt(matcher.group(1));
    int minor = Integer.parseInt(matcher.group(2));
    int patch = Integer.parseInt(matcher.group(3));
    for (int[] first : FIRST) {
      if (major == first[0] && minor == first[1]) {
        return patch >= first[2];
      }
    }
    return major > 3 || (major == 3 && minor > 6);
  }
}
