package io.holdfast.cli.commands;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.cli.CliOutput;
import io.holdfast.cli.Terminals;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With the Tab key of a real zsh, if this machine has one. */
@DisplayName("holdfast completion, at a terminal with zsh:")
@Timeout(120)
class ZshCompletionIT {

  private static final Path ZSH = Path.of("/usr/bin/zsh");

  @TempDir Path folder;

  @Test
  @DisplayName("Tab completes commands, options and what options take")
  void tab() throws Exception {
    boolean there = Files.isExecutable(ZSH);
    if (!there) {
      System.out.println("not tried: there is no " + ZSH + "; apt-get install zsh");
    }
    assumeTrue(there, "there is no zsh");
    Path script = folder.resolve("holdfast.zsh");
    Files.writeString(script, CliOutput.by("completion", "zsh").out());
    try (Terminals terminals = new Terminals(folder)) {
      // Without files of the user's or the system's, as they may turn completion on by themselves.
      terminals.open("one", "env HOME=" + folder + " ZDOTDIR=" + folder + " zsh -f");
      terminals.type("one", "PS1='> '; source " + script + "; echo the script was $?");
      terminals.awaitText("one", "the script was 0");

      assertCompletes(terminals, "holdfast guar", "holdfast guarantees");
      assertCompletes(terminals, "holdfast release --tok", "holdfast release --token");
      assertCompletes(terminals, "holdfast completion z", "holdfast completion zsh");
    }
  }

  private static void assertCompletes(Terminals terminals, String typed, String completed)
      throws Exception {
    terminals.typeOnly("one", typed);
    terminals.press("one", "Tab");
    terminals.awaitText("one", completed);
    terminals.press("one", "C-c");
  }
}
