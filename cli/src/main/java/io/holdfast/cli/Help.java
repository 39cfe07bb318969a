package io.holdfast.cli;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Model.OptionSpec;

/**
 * {@code --help} for the program and each of its commands, coloured as {@link Screen} says, and
 * {@code --version} for the program.
 */
final class Help {

  private Help() {}

  static void addTo(CommandLine tree) {
    boolean coloured = Screen.out().isColoured();
    ColorScheme colours = CommandLine.Help.defaultColorScheme(coloured ? Ansi.ON : Ansi.OFF);
    tree.setColorScheme(colours);
    addOption(tree);
    addVersion(tree);
    tree.getSubcommands().values().forEach(Help::addOption);
  }

  private static void addVersion(CommandLine tree) {
    tree.getCommandSpec()
        .versionProvider(new Version())
        .addOption(
            OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .type(boolean.class)
                .description("Say which one this is.")
                .build());
  }

  private static void addOption(CommandLine command) {
    command
        .getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .type(boolean.class)
                .description("Say how it is used.")
                .build());
  }
}
