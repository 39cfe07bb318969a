package io.holdfast.classpaths;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.World;
import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.redis.LettuceRedis;
import io.holdfast.spi.EngineProvider;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs {@link Tour} at each of the stores in its arguments and prints a line for each: {@code ok
 * LABEL MILLIS}, or {@code failed LABEL} and the stack trace.
 *
 * <p>The first argument begins the namespaces, the others are {@code LABEL=ADDRESS}. A label that
 * begins with {@code lettuce} or {@code hikari} stands for an engine over a client or a pool of the
 * program's own.
 */
public final class Smoke {

  private static final int TOGETHER = 4;

  /** Short, so that a loss is told soon where nothing but a renewal tells it. */
  private static final Duration LEASE = Duration.ofSeconds(6);

  private Smoke() {}

  /** Exits with 0 if all stores passed, else 1. */
  public static void main(String... arguments) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(TOGETHER);
    List<Future<Boolean>> all = new ArrayList<>();
    String namespaces = arguments[0];
    for (String argument : List.of(arguments).subList(1, arguments.length)) {
      int equals = argument.indexOf('=');
      String label = argument.substring(0, equals);
      String address = argument.substring(equals + 1);
      all.add(threads.submit(() -> passes(namespaces, label, address)));
    }
    boolean passed = true;
    for (Future<Boolean> each : all) {
      passed &= each.get();
    }
    // Threads of clients may still be there.
    System.exit(passed ? 0 : 1);
  }

  private static boolean passes(String namespaces, String label, String address) {
    Meters meters = new Meters();
    HoldfastOptions options =
        HoldfastOptions.DEFAULTS
            .withApp("smoke")
            .withLease(LEASE)
            .withListener(meters.events())
            .withTracer(meters.observations())
            .withNamespace(namespaces + "." + label);
    long start = System.nanoTime();
    // An Error too: a method that is missing on a class path is one.
    try {
      try (Client mine = open(label, address, options);
          Client other = open(label, address, options)) {
        meters.events().bind(mine.holdfast());
        new Tour(mine.holdfast(), other.holdfast()).run();
      }
      meters.requireAll();
    } catch (Throwable e) {
      synchronized (Smoke.class) {
        System.out.println("failed " + label);
        e.printStackTrace(System.out);
      }
      return false;
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.println("ok " + label + " " + millis);
    return true;
  }

  /** A client of Holdfast, and what the program itself has to close after it. */
  private record Client(Holdfast holdfast, Runnable own) implements AutoCloseable {

    @Override
    public void close() {
      holdfast.close();
      own.run();
    }
  }

  private static Client open(String label, String address, HoldfastOptions options) {
    if (label.startsWith("lettuce")) {
      RedisClient client = RedisClient.create(address);
      return new Client(
          Holdfast.open(LettuceRedis.engine(client, options.operationTimeout()), options),
          client::shutdown);
    }
    if (label.startsWith("hikari")) {
      HikariDataSource pool = new HikariDataSource();
      pool.setJdbcUrl(address);
      World world = World.system();
      EngineProvider.Settings settings =
          new EngineProvider.Settings(
              options.lease(),
              options.operationTimeout(),
              options.lanes(),
              world::nanoTime,
              world::epochMicros);
      return new Client(
          Holdfast.open(JdbcEngine.over(pool, JdbcOptions.of(address), settings), options),
          pool::close);
    }
    return new Client(Holdfast.connect(address, options), () -> {});
  }
}
