package io.holdfast.tck.conformance;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.LockEngine;
import io.holdfast.tck.ManualTime;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** One run of the kit, or of some chapters, over an engine in memory with something done to it. */
final class KitRun {

  /** The kit as an engine's author would extend it; not found by the build on its own. */
  static final class Subject extends EngineConformanceKit {

    private static BiFunction<LockEngine, PlantedLines.Memory, LockEngine> planted =
        (engine, memory) -> engine;

    @Override
    public EngineUnderTest open() {
      ManualTime time = new ManualTime();
      String store = "planted-" + time.secret();
      PlantedLines.Memory memory = new PlantedLines.Memory();
      return EngineUnderTest.in(
          time,
          () ->
              planted.apply(
                  MemoryEngine.shared(store, time::storeTime, time::epochMicros), memory));
    }
  }

  private final List<String> failed = new ArrayList<>();
  private int tests;

  private KitRun() {}

  static KitRun of(
      BiFunction<LockEngine, PlantedLines.Memory, LockEngine> planted,
      Predicate<Class<?>> chapters) {
    Subject.planted = planted;
    KitRun run = new KitRun();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(Subject.class))
            .filters(of(chapters))
            .build();
    LauncherFactory.create().execute(request, run.listener());
    return run;
  }

  private static PostDiscoveryFilter of(Predicate<Class<?>> chapters) {
    return descriptor ->
        descriptor
            .getSource()
            .filter(MethodSource.class::isInstance)
            .map(source -> ((MethodSource) source).getJavaMethod())
            .map(Method::getDeclaringClass)
            .map(chapter -> FilterResult.includedIf(chapters.test(chapter)))
            .orElse(FilterResult.included("not a test"));
  }

  private TestExecutionListener listener() {
    return new TestExecutionListener() {
      @Override
      public void executionFinished(TestIdentifier id, TestExecutionResult result) {
        tests += id.isTest() ? 1 : 0;
        if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
          failed.add(id.getDisplayName() + ": " + result.getThrowable().orElseThrow());
        }
      }
    };
  }

  int tests() {
    return tests;
  }

  List<String> failed() {
    return failed;
  }
}
