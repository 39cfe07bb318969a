package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonReportTest {

  @Test
  void everything_is_in_it() {
    RaceResult row = Samples.row(Samples.figures("a", 100, 300, 200), Samples.figures("b", 400));
    MachineInfo machine = new MachineInfo(2, 0.5, "a JVM", "a system");
    JsonObject report =
        JsonParser.parseString(
                JsonReport.of(
                    machine, List.of(row), List.of(Map.of("passed", true, "atLeast", 150))))
            .getAsJsonObject();

    assertThat(report.getAsJsonObject("machine").get("cores").getAsInt()).isEqualTo(2);
    assertThat(report.getAsJsonObject("machine").get("load").getAsDouble()).isEqualTo(0.5);
    JsonObject json = report.getAsJsonArray("rows").get(0).getAsJsonObject();
    assertThat(json.get("heading").getAsString()).isEqualTo("a < b & c");
    assertThat(json.get("mode").getAsString()).isEqualTo("shared");
    assertThat(json.get("roundNanos").getAsLong()).isEqualTo(2_000_000_000L);
    JsonArray contenders = json.getAsJsonArray("contenders");
    assertThat(contenders).hasSize(2);
    JsonObject first = contenders.get(0).getAsJsonObject();
    assertThat(first.get("name").getAsString()).isEqualTo("a");
    assertThat(first.get("opsPerSecond").getAsDouble()).isEqualTo(200);
    assertThat(first.getAsJsonArray("rounds")).hasSize(3);
    assertThat(first.get("p99Nanos").getAsDouble()).isEqualTo(1_000);
    assertThat(first.get("jain").getAsDouble()).isEqualTo(1);
    assertThat(contenders.get(1).getAsJsonObject().get("ratioToFirst").getAsDouble()).isEqualTo(2);
    JsonObject bar = report.getAsJsonArray("bars").get(0).getAsJsonObject();
    assertThat(bar.get("passed").getAsBoolean()).isTrue();
    assertThat(bar.get("atLeast").getAsDouble()).isEqualTo(150);
  }

  @Test
  void a_busy_machine_is_said_to_be_one() {
    assertThat(new MachineInfo(2, 0.5, "", "").text())
        .isEqualTo("2 cores, load 0.5 before the start");
    assertThat(new MachineInfo(2, 6.7, "", "").text()).contains("load 6.7", "trust CPU/op more");
    assertThat(new MachineInfo(1, -1, "", "").text()).isEqualTo("1 core");
  }
}
