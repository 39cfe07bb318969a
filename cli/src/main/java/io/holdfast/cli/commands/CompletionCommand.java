package io.holdfast.cli.commands;

import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Main;
import io.holdfast.cli.Screen;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code completion}: prints a completion script for a shell. */
@Command(
    name = "completion",
    description = "Prints a script with which bash or zsh completes commands and options.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(holdfast completion bash)",
      "  holdfast completion bash > ~/.local/share/bash-completion/completions/holdfast",
      "  source <(holdfast completion zsh)"
    })
public final class CompletionCommand implements Callable<Integer> {

  /** The shells. */
  enum Shell {
    /** GNU bash. */
    bash,
    /** Z shell, through its bash compatibility, which the script turns on. */
    zsh
  }

  @Parameters(index = "0", paramLabel = "SHELL", description = "bash or zsh.")
  private Shell shell = Shell.bash;

  /** For picocli. */
  public CompletionCommand() {}

  @Override
  public Integer call() {
    Screen out = Screen.out();
    out.line("# In ~/." + shell + "rc: source <(holdfast completion " + shell + ")");
    // One script for both: it sees which shell reads it.
    out.print(AutoComplete.bash("holdfast", Main.wholeTree()));
    return ExitCode.OK;
  }
}
