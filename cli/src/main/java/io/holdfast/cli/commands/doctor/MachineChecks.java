package io.holdfast.cli.commands.doctor;

import io.holdfast.cli.Setpriv;

/** Checks the machine that the program runs on. */
final class MachineChecks {

  private MachineChecks() {}

  static void look(Checkup rounds) {
    rounds.say(
        Finding.good(
            "java",
            System.getProperty("java.version") + " of " + System.getProperty("java.vendor")));
    if (!System.getProperty("os.name", "").equals("Linux")) {
      rounds.say(
          Finding.note(
              "system",
              System.getProperty("os.name")
                  + ": a command that 'run' has started does not end with it if it is killed"));
    } else {
      rounds.say(ofSetpriv(Setpriv.tried().skill()));
    }
  }

  private static Finding ofSetpriv(Setpriv.Skill skill) {
    String then = ": if 'run' is killed with -9, its guard alone ends the command";
    return switch (skill) {
      case TIES -> Finding.good("setpriv", "a command that 'run' has started ends with it");
      case OTHER ->
          Finding.warn(
              "setpriv", "does not know --pdeathsig" + then, "install util-linux, 2.33 or newer");
      case MISSING -> Finding.warn("setpriv", "is missing" + then, "install util-linux");
    };
  }
}
