package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.holdfast.Holdfast;
import io.holdfast.cli.CliOutput;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.RunningStores;
import io.holdfast.spi.Guarantee;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("holdfast guarantees")
@ExtendWith(RunningStores.class)
@Timeout(60)
class GuaranteesCommandIT {

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REDLOCK")
  @DisplayName("says what the engine promises, no more and no less, and what breaks it")
  void promises(EngineWithServer kind, RunningStores.Stores stores) {
    String uri = stores.uri(kind);

    JsonObject json =
        JsonParser.parseString(CliOutput.by("guarantees", "--json", "--store", uri).out())
            .getAsJsonObject();
    CliOutput text = CliOutput.by("guarantees", "--store", uri);

    try (Holdfast holdfast = Holdfast.connect(uri)) {
      assertThat(json.getAsJsonArray("promises").asList().stream().map(e -> e.getAsString()))
          .containsExactlyInAnyOrderElementsOf(
              holdfast.guarantees().stream().map(Enum::name).toList());
      for (Guarantee guarantee : Guarantee.values()) {
        String word = holdfast.guarantees().contains(guarantee) ? "  yes  " : "  no   ";
        assertThat(text.out()).contains(word + guarantee);
      }
    }
    assertThat(json.getAsJsonArray("breaks")).hasSizeGreaterThan(3);
    assertThat(text.out()).contains("What breaks it", "release --evict");
  }
}
