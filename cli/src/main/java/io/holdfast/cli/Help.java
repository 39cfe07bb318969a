package io.holdfast.cli;

import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.Model.OptionSpec;

/** Prints {@code --help} of the program and its commands, and {@code --version}. */
final class Help {

  private Help() {}

  static void addTo(CommandLine tree) {
    boolean coloured = Screen.out().colours() == Colours.ON;
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
                .description("Print the version.")
                .build());
  }

  private static void addOption(CommandLine command) {
    command
        .getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .type(boolean.class)
                .description("Print this help.")
                .build());
  }
}
