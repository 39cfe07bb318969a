package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

@DisplayName("The help of every command")
class HelpTest {

  private static Stream<CommandLine> everyCommand() {
    CommandLine all = Main.wholeTree();
    return Stream.concat(Stream.of(all), all.getSubcommands().values().stream());
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  @DisplayName("has examples, and no line of them or of the text around is wrapped")
  void examples(CommandLine command) {
    String text = command.getUsageMessage();
    List<String> written = List.of(command.getCommandSpec().usageMessage().footer());

    assertThat(text).containsPattern("(?m)^Examples?\\b.*:$");
    assertThat(written).anyMatch(line -> line.contains("  holdfast "));
    assertThat(text.lines()).containsAll(written);
  }

  @ParameterizedTest
  @MethodSource("everyCommand")
  @DisplayName("fits into 80 columns, and breaks no address")
  void lines(CommandLine command) {
    assertThat(command.getUsageMessage().lines())
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80))
        .noneMatch(line -> line.matches(".*://\\S*,"));
  }
}
