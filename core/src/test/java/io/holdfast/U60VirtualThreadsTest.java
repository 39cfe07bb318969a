package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * U60. Ten thousand virtual threads wait for one name, and no carrier is pinned.
 *
 * <p>The flight recorder shows it.
 */
@Timeout(120)
@EnabledForJreRange(
    min = JRE.JAVA_21,
    disabledReason = "virtual threads came with JDK 21: run the suite on a newer JDK too")
class U60VirtualThreadsTest {

  @TempDir private Path folder;

  private final World world = World.system();
  private int inside;
  private int holds;
  private long lastToken;

  @ParameterizedTest
  @CsvSource({"FIFO,false,10000", "ANY,false,10000", "FIFO,true,1000", "ANY,true,10000"})
  void virtualThreadsGetThroughOneNameAndPinNothing(Order order, boolean lanes, int threads)
      throws Exception {
    LockEngine engine =
        lanes
            ? ScriptedEngine.on(world).blocking(2, 100)
            : MemoryEngine.create(world::nanoTime, world::epochMicros);
    Path file = folder.resolve("pinned.jfr");
    try (Recording recording = new Recording();
        Holdfast holdfast =
            Holdfast.open(engine, HoldfastOptions.DEFAULTS.withOrder(order), world)) {
      // What the JDK links when code first runs pins a little, and is not ours.
      run(holdfast, 100);
      holds = 0;
      recording.enable("jdk.VirtualThreadPinned").withoutThreshold().withStackTrace();
      recording.start();
      run(holdfast, threads);
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> pinned =
        RecordingFile.readAllEvents(file).stream()
            .filter(event -> event.getEventType().getName().equals("jdk.VirtualThreadPinned"))
            .toList();
    assertThat(pinned).isEmpty();
    assertThat(holds).isEqualTo(threads);
    System.out.printf("%s: %d virtual threads, none pinned%n", order, threads);
  }

  private void run(Holdfast holdfast, int count) throws Exception {
    Hold gate = holdfast.lock("one").acquire(Duration.ofSeconds(10));
    try (AutoClosingExecutor threads = new AutoClosingExecutor()) {
      List<Future<?>> all = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        all.add(threads.executor.submit(() -> takeTurn(holdfast)));
      }
      gate.release();
      for (Future<?> each : all) {
        each.get(100, TimeUnit.SECONDS);
      }
    }
  }

  private Void takeTurn(Holdfast holdfast) throws InterruptedException {
    try (Hold hold = holdfast.lock("one").acquire(Duration.ofSeconds(100))) {
      if (++inside != 1 || hold.token() <= lastToken) {
        throw new AssertionError("inside " + inside + ", " + hold.token() + " after " + lastToken);
      }
      lastToken = hold.token();
      holds++;
      inside--;
    }
    return null;
  }

  /** An executor of virtual threads, reached by name: this file is compiled for JDK 17. */
  private static final class AutoClosingExecutor implements AutoCloseable {
    private final ExecutorService executor;

    AutoClosingExecutor() throws ReflectiveOperationException {
      executor =
          (ExecutorService)
              Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    @Override
    public void close() {
      executor.shutdownNow();
    }
  }
}
