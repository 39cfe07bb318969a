package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A suggested word")
class SuggestionsTest {

  @ParameterizedTest
  @CsvSource({
    "rnu, run",
    "rn, run",
    "runn, run",
    "relaese, release",
    "doc, doctor",
    "l, ls",
    "xyzzy, ''",
    "x, ''"
  })
  @DisplayName("is one typing error away, or has the same beginning")
  void words(String typed, String meant) {
    List<String> known = List.of("run", "once", "ls", "release", "doctor", "guarantees");

    assertThat(String.join(" ", Suggestions.to(typed, known))).isEqualTo(meant);
  }
}
