package io.holdfast.benchmarks.micro;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.spring.EnableHoldfast;
import io.holdfast.spring.Locked;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What {@link Locked} costs over the same lock by hand: one thread, the in-process engine, nobody
 * else. The bar is 5 us between the medians, which a busy machine moves less than averages.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class AnnotatedPath {

  private static final Duration WAIT = Duration.ofSeconds(5);

  // JMH calls start() before anything else.
  @SuppressWarnings("NullAway.Init")
  private AnnotationConfigApplicationContext context;

  @SuppressWarnings("NullAway.Init")
  private Holdfast holdfast;

  @SuppressWarnings("NullAway.Init")
  private Orders orders;

  private long id;

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  @EnableHoldfast
  static class App {
    @Bean
    Holdfast holdfast() {
      return Holdfast.connect("memory:");
    }

    @Bean
    Orders orders() {
      return new Orders();
    }
  }

  /** What is guarded. */
  public static class Orders {
    /** Without a lock. */
    public long work(long id) {
      return id + 1;
    }

    /** Under one name. */
    @Locked(name = "orders", waitFor = "5s")
    public long one(long id) {
      return id + 1;
    }

    /** Under a name for each argument. */
    @Locked(name = "orders/{#id}", waitFor = "5s")
    public long each(long id) {
      return id + 1;
    }
  }

  /** Starts the context. */
  @Setup
  public void start() {
    context = new AnnotationConfigApplicationContext(App.class);
    holdfast = context.getBean(Holdfast.class);
    orders = context.getBean(Orders.class);
  }

  /** Closes it, and the client with it. */
  @TearDown
  public void stop() {
    context.close();
  }

  /** By hand. */
  @Benchmark
  public long apiOneName() throws InterruptedException {
    try (Hold hold = holdfast.lock("orders").acquire(WAIT)) {
      return orders.work(id++);
    }
  }

  /** By annotation. */
  @Benchmark
  public long annotatedOneName() {
    return orders.one(id++);
  }

  /** By hand, with a name that is put together. */
  @Benchmark
  public long apiNameOfArgument() throws InterruptedException {
    long order = id++ & 1023;
    try (Hold hold = holdfast.lock("orders/{}", order).acquire(WAIT)) {
      return orders.work(order);
    }
  }

  /** By annotation, with a slot. */
  @Benchmark
  public long annotatedNameOfArgument() {
    return orders.each(id++ & 1023);
  }
}
