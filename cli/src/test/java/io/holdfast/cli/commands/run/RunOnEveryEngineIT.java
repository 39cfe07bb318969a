package io.holdfast.cli.commands.run;

import io.holdfast.cli.EngineWithServer;
import io.holdfast.cli.StoreObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code run} promises, with real processes on every engine. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("holdfast run, on every engine:")
class RunOnEveryEngineIT {

  private static final Duration LEASE = Duration.ofSeconds(8);

  /** Where those without an order are not listed, a mark of theirs ends by itself. */
  private static final Duration MARKS = Duration.ofSeconds(2);

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.EngineWithServer#ofThisRun")
  @DisplayName(
      "a second one waits, and runs when the first is killed; Ctrl-C leaves nothing behind")
  void everyEngine(EngineWithServer engine) throws Exception {
    try (EngineWithServer.Store store = engine.start(folder);
        StoreObserver onlooker = new StoreObserver(store)) {
      killed(store, onlooker);
      interrupted(store, onlooker);
    }
  }

  private void killed(EngineWithServer.Store store, StoreObserver onlooker) throws Exception {
    List<String> lease = List.of("--lease", LEASE.toSeconds() + "s");
    inEachOrder(
        store,
        onlooker,
        "killed",
        lease,
        all -> {
          all.forEach(Rivals::killFirst);
          all.forEach(rivals -> rivals.assertNextIsIn(LEASE));
        });
  }

  private void interrupted(EngineWithServer.Store store, StoreObserver onlooker) throws Exception {
    // Usually with the usual lease, as nothing is to end by itself.
    boolean majority = store.engine() == EngineWithServer.REDLOCK;
    inEachOrder(
        store,
        onlooker,
        "waited-for",
        majority ? List.of("--lease", "8s") : List.of(),
        all -> {
          all.forEach(Rivals::interruptSecond);
          all.forEach(Rivals::assertInterrupted);
          all.forEach(rivals -> rivals.assertNobodyIsLeft(MARKS));
        });
  }

  /** As users ask for it who say nothing of an order, and in order; at the same time. */
  private void inEachOrder(
      EngineWithServer.Store store,
      StoreObserver onlooker,
      String name,
      List<String> options,
      Consumer<List<Rivals>> play)
      throws Exception {
    List<Rivals> all = new ArrayList<>();
    try {
      all.add(new Rivals(store, onlooker, folder, name, options));
      all.get(0).meet();
      if (store.engine().hasAllPrimitives()) {
        List<String> fifo = Stream.concat(options.stream(), Stream.of("--fifo")).toList();
        all.add(new Rivals(store, onlooker, folder, name + "-fifo", fifo));
        all.get(1).meet();
      }
      play.accept(all);
    } finally {
      all.forEach(Rivals::close);
    }
  }
}
