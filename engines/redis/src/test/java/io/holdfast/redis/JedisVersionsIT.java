package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.RedisCluster;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.rig.servers.RedisSentinels;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Figure;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs bring the Jedis that their framework manages. Each version here runs every feature on
 * every topology, on a class path with that version in the place of ours.
 */
@Timeout(120)
class JedisVersionsIT {

  private static RedisServer server;
  private static RedisSentinels sentinels;
  private static RedisCluster cluster;
  private static RedisMasters masters;

  @BeforeAll
  static void start() throws Exception {
    server = RedisServer.start();
    sentinels = RedisSentinels.start().withoutFailover();
    cluster = RedisCluster.start().withoutFailover();
    masters = RedisMasters.start(3);
    RedlockEngine.init(RedisOptions.of("redlock://" + masters.addresses()));
  }

  @AfterAll
  static void stop() {
    masters.close();
    cluster.close();
    sentinels.close();
    server.close();
  }

  /** Names begin anew on every class path. */
  @BeforeEach
  void forget() {
    server.call("FLUSHALL");
    sentinels.master().call("FLUSHALL");
    cluster.masters().forEach(master -> master.call("FLUSHALL"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"6.0.0", "6.2.0", "7.0.0", "7.4.1", "8.0.2"})
  @DisplayName("every feature works with Jedis 6.0 to 8.x")
  void everyFeature(String version) throws Exception {
    long start = System.nanoTime();
    try (URLClassLoader loader =
        new URLClassLoader(classPath(version), ClassLoader.getPlatformClassLoader())) {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(loader);
      try {
        Object used =
            Class.forName("io.holdfast.redis.JedisFeatures", true, loader)
                .getMethod("run", String.class, String.class, String.class, String.class)
                .invoke(
                    null,
                    server.uri(),
                    sentinels.uri(),
                    cluster.uri(),
                    "redlock://" + masters.addresses());
        assertThat(String.valueOf(used)).contains("jedis-" + version + ".jar");
      } catch (InvocationTargetException e) {
        throw new AssertionError("Jedis " + version + ": " + e.getCause(), e.getCause());
      } finally {
        thread.setContextClassLoader(before);
      }
    }
    Figure.print(
        "Jedis %s: every feature on 4 topologies and over its clients in %,d ms",
        version, (System.nanoTime() - start) / 1_000_000);
  }

  /** The class path of this test with another Jedis in it, which the build has put there. */
  private static URL[] classPath(String version) throws IOException, URISyntaxException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!Path.of(entry).getFileName().toString().matches("jedis-[0-9.]+\\.jar")) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    Path classes =
        Path.of(JedisVersionsIT.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path jar = classes.resolveSibling("jedis").resolve("jedis-" + version + ".jar");
    assertThat(Files.exists(jar)).as("copied by the build: %s", jar).isTrue();
    urls.add(jar.toUri().toURL());
    return urls.toArray(URL[]::new);
  }
}
