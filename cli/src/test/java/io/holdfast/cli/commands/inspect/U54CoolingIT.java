package io.holdfast.cli.commands.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.holdfast.Holdfast;
import io.holdfast.cli.CliOutput;
import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.RunningStores;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("U54, a short job that has run in its period")
@ExtendWith(RunningStores.class)
@Timeout(60)
class U54CoolingIT {

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#thatCanBeLookedInto")
  @DisplayName("is shown as cooling, and not as a held lock")
  void cooling(EngineWithServer kind, RunningStores.Stores stores) throws Exception {
    String uri = stores.uri(kind);
    String key = "u54/" + UUID.randomUUID();
    try (Holdfast holdfast = Holdfast.connect(uri)) {
      holdfast.once(key, Duration.ofMinutes(10)).run(Duration.ofSeconds(20), hold -> {});
    }

    CliOutput shown = CliOutput.by("show", key, "--json", "--store", uri);

    JsonObject line = JsonParser.parseString(shown.out()).getAsJsonObject();
    assertThat(shown.code()).isZero();
    assertThat(line.get("state").getAsString()).isEqualTo("cooling");
    assertThat(line.get("kind").getAsString()).isEqualTo("once");
    assertThat(line.getAsJsonArray("holders")).isEmpty();
    assertThat(line.get("markedMillis").getAsLong()).isBetween(480_000L, 600_000L);
    assertThat(CliOutput.by("show", key, "--store", uri).out())
        .contains("cooling", "nobody runs it for another");
    assertThat(CliOutput.by("ls", key, "--store", uri).lines().get(1)).contains("cooling");
  }
}
