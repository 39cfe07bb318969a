package io.holdfast.cli.look;

import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Main;
import io.holdfast.cli.Screen;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code completion}: what a shell reads to complete commands and options. */
@Command(
    name = "completion",
    description = "Prints what bash and zsh need to complete commands and options.",
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
