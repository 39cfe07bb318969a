package io.holdfast.cli;

import io.holdfast.cli.commands.BenchCommand;
import io.holdfast.cli.commands.CompletionCommand;
import io.holdfast.cli.commands.GuaranteesCommand;
import io.holdfast.cli.commands.IdCommand;
import io.holdfast.cli.commands.ServerCommand;
import io.holdfast.cli.commands.doctor.DoctorCommand;
import io.holdfast.cli.commands.inspect.LsCommand;
import io.holdfast.cli.commands.inspect.ReleaseCommand;
import io.holdfast.cli.commands.inspect.ShowCommand;
import io.holdfast.cli.commands.inspect.WatchCommand;
import io.holdfast.cli.commands.run.ElectCommand;
import io.holdfast.cli.commands.run.OnceCommand;
import io.holdfast.cli.commands.run.RunCommand;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The entry point: runs the command, and maps exceptions to messages and exit codes. */
@Command(
    name = "holdfast",
    synopsisSubcommandLabel = "COMMAND",
    description = "Distributed locks for shell scripts, cron jobs and operators.",
    footer = {
      "",
      "Examples:",
      "  holdfast run backup -- ./backup.sh                     one at a time here",
      "  holdfast run --store redis://db deploy -- ./deploy.sh  and on all machines",
      "  holdfast once report --every 1h -- ./send-report.sh    one of many machines",
      "  holdfast show backup                                   holders and waiters",
      "",
      "See holdfast COMMAND --help for a command, and docs/cli.md for everything."
    })
public final class Main implements Runnable {

  /** All commands, in the order in which the help has them. */
  private static final List<String> COMMANDS =
      List.of(
          "run", //
          "once",
          "elect",
          "ls",
          "show",
          "watch",
          "release",
          "server",
          "id",
          "guarantees",
          "doctor",
          "bench",
          "completion");

  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  /** Creates only the requested command: reading the options of all commands takes time. */
  private static Object command(String name) {
    return switch (name) {
      case "run" -> new RunCommand();
      case "once" -> new OnceCommand();
      case "elect" -> new ElectCommand();
      case "ls" -> new LsCommand();
      case "show" -> new ShowCommand();
      case "watch" -> new WatchCommand();
      case "release" -> new ReleaseCommand();
      case "server" -> new ServerCommand();
      case "id" -> new IdCommand();
      case "guarantees" -> new GuaranteesCommand();
      case "doctor" -> new DoctorCommand();
      case "bench" -> new BenchCommand();
      case "completion" -> new CompletionCommand();
      default -> throw new IllegalArgumentException("no such command: " + name);
    };
  }

  /** Ends the process with the code that {@code docs/cli.md} has for what happened. */
  public static void main(String... arguments) {
    int code = OutputCheck.checked(run(arguments));
    // Threads of drivers may still be there.
    System.exit(code);
  }

  /** The parser handles exceptions alone, and Java would end with 1 for an error. */
  private static int run(String... arguments) {
    try {
      ArgumentEncoding.require(List.of(arguments));
      String[] words = withoutHelpWord(arguments);
      CommandLine parser = commandLine(words);
      return words.length == 0 || words[0].startsWith("-") || COMMANDS.contains(words[0])
          ? parser.execute(words)
          : ErrorReport.reportUsage(new ParameterException(parser, unknown(words[0])), words);
    } catch (CliException e) {
      return ErrorReport.report(e);
    } catch (Throwable e) {
      return ErrorReport.fault(e);
    }
  }

  /** {@code help run} is {@code run --help}. */
  private static String[] withoutHelpWord(String... arguments) {
    if (arguments.length == 0 || !arguments[0].equals("help")) {
      return arguments;
    }
    return arguments.length == 1 ? new String[] {"--help"} : new String[] {arguments[1], "--help"};
  }

  /**
   * The parser would complain of all that follows as well, or show its help if that asks for it.
   */
  private static String unknown(String command) {
    List<String> near = Suggestions.to(command, COMMANDS);
    return "no such command: "
        + command
        + (near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?");
  }

  /** The parser for these arguments. */
  private static CommandLine commandLine(String... arguments) {
    boolean one = arguments.length > 0 && COMMANDS.contains(arguments[0]);
    return tree(one ? List.of(arguments[0]) : COMMANDS);
  }

  /** The parser with all commands, of which completions are made. */
  public static CommandLine wholeTree() {
    return tree(COMMANDS);
  }

  private static CommandLine tree(List<String> names) {
    CommandLine tree = new CommandLine(new Main());
    names.forEach(name -> tree.addSubcommand(name, command(name)));
    Help.addTo(tree);
    // An argument @file is the command's own. Set here, as it reaches only commands that are there.
    tree.setExpandAtFiles(false);
    return tree.setExecutionExceptionHandler(ErrorReport::report)
        .setParameterExceptionHandler(ErrorReport::reportUsage);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }
}
