package io.holdfast.cli;

import io.holdfast.rig.servers.ZooKeeperServer;
import io.holdfast.rig.servers.ZooKeeperServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Real stores for tests, each started when it is first asked for and kept for the whole run. */
public final class RunningStores implements ParameterResolver {

  /** The running servers. */
  public static final class Stores implements AutoCloseable {

    private final Map<EngineWithServer, String> uris = new EnumMap<>(EngineWithServer.class);
    private final Deque<AutoCloseable> running = new ArrayDeque<>();

    /** Where a store of this kind is. */
    public synchronized String uri(EngineWithServer engine) {
      return uris.computeIfAbsent(engine, this::start);
    }

    private String start(EngineWithServer engine) {
      if (engine == EngineWithServer.ZOOKEEPER) {
        // With its usual tick, as the usual lease is longer than a quick one allows.
        ZooKeeperServerOptions usual = ZooKeeperServerOptions.PLAIN.withTick(Duration.ofSeconds(2));
        return keep(ZooKeeperServer.start(usual)).uri();
      }
      return keep(engine.start(folder())).uri();
    }

    /** A folder that is gone at the end. */
    public synchronized Path folder() {
      try {
        Path folder = Files.createTempDirectory("holdfast-cli-test-");
        running.push(() -> delete(folder));
        return folder;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void delete(Path folder) throws IOException {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }

    private <T extends AutoCloseable> T keep(T server) {
      running.push(server);
      return server;
    }

    @Override
    public void close() throws Exception {
      while (!running.isEmpty()) {
        running.pop().close();
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Stores.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ExtensionContext.Namespace.GLOBAL)
        .getOrComputeIfAbsent(Stores.class);
  }
}
