package io.holdfast.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GuardedResourceTest {

  @TempDir Path folder;

  @Test
  @DisplayName("with its guard, a stale write is refused, and the writer is notified")
  void guarded() throws Exception {
    Path socket = folder.resolve("s");
    try (GuardedResource resource = new GuardedResource(socket, true);
        GuardedWriter writer = new GuardedWriter(socket)) {
      assertThat(writer.write("any-0", true, 10, "a")).isTrue();
      assertThat(writer.write("any-0", true, 11, "b")).isTrue();
      assertThat(writer.write("any-0", true, 10, "a")).isFalse();
      assertThat(writer.write("any-0", false, 11, "b")).isTrue();
      assertThat(writer.write("any-0", false, 11, "c")).isFalse();
      assertThat(resource.accepted()).isEqualTo(3);
      assertThat(resource.refused()).isEqualTo(2);
      assertThat(resource.acceptedStale()).isZero();
    }
  }

  @Test
  @DisplayName("without a guard, the check finds the stale writes")
  void unguarded() throws Exception {
    try (GuardedResource resource = new GuardedResource(folder.resolve("s"), false)) {
      assertThat(resource.write("any-0", true, 11, "b")).isTrue();
      assertThat(resource.write("any-0", true, 10, "a")).isTrue();
      assertThat(resource.write("any-0", true, 11, "c")).isTrue();
      assertThat(resource.write("any-0", true, 12, "d")).isTrue();
      assertThat(resource.acceptedStale()).isEqualTo(2);
    }
  }
}
