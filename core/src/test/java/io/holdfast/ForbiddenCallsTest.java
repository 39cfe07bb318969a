package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.holdfast.runtime.acquire.LocalLine;
import io.holdfast.runtime.time.SystemWorld;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that time, timers, threads and randomness come from the World.
 *
 * <p>Reads the class files of core and fails when any class but the real World uses the JDK's.
 */
class ForbiddenCallsTest {

  private static final String ANY = "*";

  /** Owner and methods; a constructor is {@code <init>}. */
  private static final Map<String, Set<String>> FORBIDDEN =
      Map.ofEntries(
          Map.entry("java.lang.System", Set.of("nanoTime", "currentTimeMillis")),
          Map.entry("java.lang.Math", Set.of("random")),
          Map.entry("java.lang.StrictMath", Set.of("random")),
          Map.entry(
              "java.lang.Thread",
              Set.of(
                  "<init>",
                  "sleep",
                  "ofVirtual",
                  "ofPlatform",
                  "startVirtualThread",
                  "onSpinWait",
                  "yield")),
          Map.entry("java.time.Instant", Set.of("now")),
          Map.entry("java.time.LocalDateTime", Set.of("now")),
          Map.entry("java.time.ZonedDateTime", Set.of("now")),
          Map.entry("java.time.OffsetDateTime", Set.of("now")),
          Map.entry("java.time.LocalDate", Set.of("now")),
          Map.entry("java.time.Clock", Set.of(ANY)),
          Map.entry("java.util.Date", Set.of("<init>")),
          Map.entry("java.util.Timer", Set.of(ANY)),
          Map.entry("java.util.Random", Set.of(ANY)),
          Map.entry("java.util.SplittableRandom", Set.of(ANY)),
          Map.entry("java.security.SecureRandom", Set.of(ANY)),
          Map.entry("java.util.UUID", Set.of("randomUUID")),
          Map.entry("java.util.concurrent.TimeUnit", Set.of("sleep", "timedJoin", "timedWait")),
          Map.entry("java.util.concurrent.Executors", Set.of(ANY)),
          Map.entry("java.util.concurrent.ForkJoinPool", Set.of(ANY)),
          Map.entry("java.util.concurrent.ThreadPoolExecutor", Set.of(ANY)),
          Map.entry("java.util.concurrent.ScheduledThreadPoolExecutor", Set.of(ANY)),
          Map.entry("java.util.concurrent.ThreadLocalRandom", Set.of(ANY)),
          Map.entry(
              "java.util.concurrent.locks.LockSupport", Set.of("park", "parkNanos", "parkUntil")));

  private static final Set<String> OF_FUTURES =
      Set.of("orTimeout", "completeOnTimeout", "delayedExecutor");

  private static JavaClasses core() throws Exception {
    var location = Holdfast.class.getProtectionDomain().getCodeSource().getLocation();
    return new ClassFileImporter().importPath(Path.of(location.toURI()));
  }

  private static Stream<JavaAccess<?>> accesses(JavaClass type) {
    return Stream.concat(
        type.getAccessesFromSelf().stream(), type.getCodeUnitReferencesFromSelf().stream());
  }

  private static List<String> forbidden(JavaClass type) {
    return accesses(type)
        .filter(access -> isForbidden(access.getTarget()))
        .map(
            access ->
                access.getTarget().getOwner().getSimpleName() + "." + access.getTarget().getName())
        .sorted()
        .distinct()
        .toList();
  }

  private static boolean isForbidden(AccessTarget target) {
    JavaClass owner = target.getOwner();
    if (owner.isEquivalentTo(java.util.concurrent.CompletableFuture.class)) {
      return OF_FUTURES.contains(target.getName()) || isAsyncWithoutExecutor(target);
    }
    return FORBIDDEN.entrySet().stream()
        .filter(entry -> owner.isAssignableTo(entry.getKey()))
        .anyMatch(
            entry -> entry.getValue().contains(ANY) || entry.getValue().contains(target.getName()));
  }

  private static boolean isAsyncWithoutExecutor(AccessTarget target) {
    return target.getName().endsWith("Async")
        && target instanceof AccessTarget.CodeUnitAccessTarget called
        && called.getRawParameterTypes().stream()
            .noneMatch(type -> type.isEquivalentTo(java.util.concurrent.Executor.class));
  }

  @Test
  void onlyTheRealWorldTouchesClocksThreadsAndRandomness() throws Exception {
    JavaClasses core = core();
    assertThat(core.contain(LocalLine.class)).isTrue();
    assertThat(core.contain(PlantedCalls.class)).isFalse();
    for (JavaClass type : core) {
      if (!type.isEquivalentTo(SystemWorld.class)) {
        assertThat(forbidden(type)).as(type.getName()).isEmpty();
      }
    }
  }

  @Test
  void theRuleSeesWhatTheRealWorldDoes() throws Exception {
    assertThat(forbidden(core().get(SystemWorld.class)))
        .contains("System.nanoTime", "LockSupport.parkNanos", "Thread.<init>");
  }

  @Test
  void theRuleCatchesEveryPlantedCall() {
    JavaClass planted = new ClassFileImporter().importClass(PlantedCalls.class);
    assertThat(forbidden(planted))
        .containsExactlyInAnyOrder(
            "Clock.systemUTC",
            "CompletableFuture.runAsync",
            "CompletableFuture.thenRunAsync",
            "Executors.newCachedThreadPool",
            "Instant.now",
            "LockSupport.parkNanos",
            "LockSupport.parkUntil",
            "Math.random",
            "Random.<init>",
            "Random.nextInt",
            "System.currentTimeMillis",
            "System.nanoTime",
            "Thread.<init>",
            "Thread.sleep",
            "ThreadLocalRandom.current",
            "ThreadLocalRandom.nextInt",
            "Timer.<init>",
            "Timer.cancel");
  }
}
