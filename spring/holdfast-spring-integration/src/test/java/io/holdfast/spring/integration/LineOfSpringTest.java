package io.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import java.nio.CharBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/** One artifact on two lines of Spring Integration; and which keys name a lock. */
@Timeout(60)
@SuppressWarnings({
  "rawtypes", // They are generic on the newer line only.
  "LockNotBeforeTry" // Each call is tested by itself.
})
class LineOfSpringTest {

  private final Holdfast holdfast = Holdfast.connect("memory:");
  private final HoldfastLockRegistry registry = new HoldfastLockRegistry(holdfast, "si/");

  @AfterEach
  void close() {
    holdfast.close();
  }

  /** Otherwise both runs of these tests could be on the same line. */
  @Test
  void theLineIsTheOneThatThisRunIsFor() {
    String version = System.getProperty("spring-integration");
    boolean generic = LockRegistry.class.getTypeParameters().length == 1;
    assertThat(version).startsWith(generic ? "7." : "6.5.");
    assertThat(LockRegistry.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .endsWith("spring-integration-core-" + version + ".jar");
  }

  @Test
  void locksHaveATimeToLiveWhereTheLineKnowsIt() {
    boolean newer = System.getProperty("spring-integration").startsWith("7.");
    Lock lock = registry.obtain("a");
    assertThat(lock.getClass().getInterfaces())
        .extracting(Class::getSimpleName)
        .isEqualTo(newer ? List.of("DistributedLock") : List.of("Lock"));
    assertThat(lock).hasToString("HoldfastLock[si/a]");
  }

  @Configuration(proxyBeanMethods = false)
  static class Beans {

    @Bean(destroyMethod = "close")
    Holdfast holdfast() {
      return Holdfast.connect("memory:");
    }

    @Bean
    HoldfastLockRegistry lockRegistry(Holdfast holdfast) {
      return new HoldfastLockRegistry(holdfast, "si/");
    }

    @Bean
    String user(
        LockRegistry any, ExpirableLockRegistry expirable, RenewableLockRegistry renewable) {
      return any == expirable && any == renewable ? "one registry" : "several";
    }
  }

  @Test
  void springReadsItsTypesAndInjectsIt() {
    assertThat(HoldfastLockRegistry.class.getGenericInterfaces()).hasSize(2);
    try (var context = new AnnotationConfigApplicationContext(Beans.class)) {
      assertThat(context.getBean("user")).isEqualTo("one registry");
    }
  }

  private enum Region {
    EAST {
      @Override
      public String toString() {
        return "the east";
      }
    }
  }

  @Test
  void keysAreOfTypesWhoseTextIsTheSameOnAllMachines() {
    UUID id = UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
    assertThat(registry.obtain(42L)).hasToString("HoldfastLock[si/42]");
    assertThat(registry.obtain(id)).hasToString("HoldfastLock[si/" + id + "]");
    assertThat(registry.obtain(Region.EAST)).hasToString("HoldfastLock[si/EAST]");
    assertThat(registry.obtain(CharBuffer.wrap("b"))).hasToString("HoldfastLock[si/b]");
    assertThat(registry.obtain('c')).hasToString("HoldfastLock[si/c]");
    assertThat(registry.obtain(true)).hasToString("HoldfastLock[si/true]");
    assertThatThrownBy(() -> registry.obtain(new byte[] {1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the same on all machines: [B");
    assertThatThrownBy(() -> registry.obtain("x".repeat(600)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new HoldfastLockRegistry(holdfast, "{}"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("prefix=\"{}\"");
  }

  @Test
  void nothingIsCachedSoNothingExpires() throws Exception {
    Lock lock = registry.obtain("a");
    assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();
    registry.expireUnusedOlderThan(0);
    assertThat(registry.isHeldByCurrentThread("a")).isTrue();
    lock.unlock();
    assertThatThrownBy(lock::newCondition).isInstanceOf(UnsupportedOperationException.class);
  }
}
