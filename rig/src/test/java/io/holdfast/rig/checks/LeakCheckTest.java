package io.holdfast.rig.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.rig.time.Await;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeakCheckTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofSeconds(5);

  private final List<String> keys = new CopyOnWriteArrayList<>(List.of("old", "old"));
  private final Inventory stock = new Inventory("keys", () -> keys);

  @Nested
  class Clean {
    @Test
    void nothing_new() {
      LeakCheck leaks = LeakCheck.baseline(stock);
      leaks.awaitReturn(SHORT).requireClean(1);
    }

    @Test
    void fewer_than_before_and_one_for_another() {
      LeakCheck leaks = LeakCheck.baseline(stock);
      keys.set(0, "new");
      leaks.awaitReturn(SHORT).requireClean(1);
      keys.remove(1);
      leaks.awaitReturn(SHORT).requireClean(1);
    }

    @Test
    void what_goes_within_the_bound() throws InterruptedException {
      LeakCheck leaks = LeakCheck.baseline(stock);
      keys.add("new");
      Thread later =
          new Thread(
              () -> {
                Await.until("a look at the keys", LONG, () -> true);
                keys.remove("new");
              });
      later.start();
      leaks.awaitReturn(LONG).requireClean(1);
      later.join();
    }
  }

  @Nested
  class Caught {
    @Test
    void a_key_that_stays() {
      LeakCheck leaks = LeakCheck.baseline(stock);
      keys.add("old");
      keys.add("new");
      assertThat(leaks.awaitReturn(SHORT).violations())
          .singleElement()
          .asString()
          .isEqualTo("leak: keys: 2 before, 4 after; new are [old, new]");
    }

    @Test
    void a_thread_that_stays() throws Exception {
      // By name: a thread of another test that ends meanwhile would make up for this one.
      LeakCheck leaks = LeakCheck.baseline(Inventory.threadsNamed("left-behind"));
      CountDownLatch end = new CountDownLatch(1);
      Thread thread = new Thread(() -> awaitQuietly(end), "left-behind");
      thread.start();
      assertThat(leaks.awaitReturn(SHORT).toString()).contains("left-behind");
      assertThat(names(Inventory.threads())).contains("left-behind");
      end.countDown();
      thread.join();
      leaks.awaitReturn(LONG).requireClean(1);
    }

    @Test
    void a_socket_that_stays() throws IOException {
      // The first socket of a JVM brings descriptors that stay for good.
      new ServerSocket(0).close();
      LeakCheck leaks =
          LeakCheck.baseline(Inventory.fileDescriptors(ProcessHandle.current().pid()));
      try (ServerSocket socket = new ServerSocket(0)) {
        assertThat(socket.isBound()).isTrue();
        assertThat(leaks.awaitReturn(SHORT).toString()).contains("socket:[");
      }
      leaks.awaitReturn(LONG).requireClean(1);
    }

    @Test
    void a_file_that_stays(@TempDir Path folder) throws IOException {
      LeakCheck leaks = LeakCheck.baseline(Inventory.files(folder));
      Files.createFile(folder.resolve("left"));
      assertThat(leaks.awaitReturn(SHORT).toString()).contains("[left]");
    }
  }

  @Test
  void an_inventory_that_cannot_be_listed_is_an_error() {
    Inventory broken =
        new Inventory(
            "things",
            () -> {
              throw new IOException("no");
            });
    assertThatThrownBy(() -> LeakCheck.baseline(broken)).hasMessageContaining("things");
  }

  private static Collection<String> names(Inventory inventory) throws Exception {
    return List.copyOf(inventory.list().call());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
