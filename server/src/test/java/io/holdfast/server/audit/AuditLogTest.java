package io.holdfast.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.server.audit.AuditEntry.What;
import io.holdfast.spi.Resource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AuditLogTest {

  private static final long NOON = 1_800_000_000_000_000L;

  @TempDir Path folder;
  private Path file;
  private final AtomicLong micros = new AtomicLong(NOON);

  @BeforeEach
  void name() {
    file = folder.resolve("audit.jsonl");
  }

  private AuditLog open(AuditSettings settings) throws IOException {
    return AuditLog.open(settings, micros::get, Duration.ofSeconds(30));
  }

  private AuditLog open() throws IOException {
    return open(AuditSettings.defaults(file));
  }

  private static AuditEntry entry(What what, String lock, String reason) {
    return AuditEntry.of(
        what, "billing", Optional.of(new Resource("default", lock)), 4096, "owner", reason);
  }

  /** Waits until everything is in the files. */
  private static void written(AuditLog log) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    log.whenWritten(done::countDown);
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private static List<AuditEntry> all(AuditReader reader) throws IOException {
    List<AuditEntry> all = new ArrayList<>();
    AuditQuery query = AuditQuery.newest(7);
    for (AuditPage page = reader.page(query); ; page = reader.page(query)) {
      all.addAll(page.entries());
      if (page.next().isEmpty()) {
        return all;
      }
      query = AuditQuery.newest(7).before(page.next().get());
    }
  }

  private static List<String> reasons(List<AuditEntry> entries) {
    return entries.stream().map(AuditEntry::reason).toList();
  }

  @Test
  @DisplayName("an entry is one line of JSON, with its token as text")
  void line() throws Exception {
    try (AuditLog log = open()) {
      log.record(entry(What.EVICTED, "orders/\"42\"\n", "stuck"));
      log.record(AuditEntry.of(What.DENIED, "unknown", Optional.empty(), 0, "", ""));
    }

    assertThat(Files.readAllLines(file))
        .containsExactly(
            "{\"number\":\"1800000000000000\",\"time\":\"2027-01-15T08:00:00Z\",\"what\":\"evicted\","
                + "\"who\":\"billing\",\"namespace\":\"default\",\"name\":\"orders/\\\"42\\\"\\n\","
                + "\"token\":\"4096\",\"owner\":\"owner\",\"reason\":\"stuck\"}",
            "{\"number\":\"1800000000000001\",\"time\":\"2027-01-15T08:00:00Z\",\"what\":\"denied\","
                + "\"who\":\"unknown\"}");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  @DisplayName("closing writes everything that was recorded")
  void flushOnClose() throws Exception {
    AuditLog log = open();
    for (int i = 0; i < 10_000; i++) {
      log.record(entry(What.GRANTED, "x", Integer.toString(i)));
    }
    log.close();

    assertThat(Files.readAllLines(file)).hasSize(10_000);
    log.record(entry(What.GRANTED, "x", "late"));
    assertThat(log.dropped()).isEqualTo(1);
  }

  @Test
  @DisplayName("files are rotated by size, and the oldest one is deleted")
  void rotation() throws Exception {
    AuditSettings settings = new AuditSettings(file, 2048, 3, 1000);
    try (AuditLog log = open(settings)) {
      for (int i = 0; i < 200; i++) {
        log.record(entry(What.GRANTED, "x", Integer.toString(i)));
        written(log);
      }

      List<AuditEntry> kept = all(log.reader());
      assertThat(kept.size()).isBetween(20, 60);
      for (int i = 0; i < kept.size(); i++) {
        assertThat(kept.get(i).reason()).isEqualTo(Integer.toString(199 - i));
      }
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "audit.jsonl", "audit.jsonl.1", "audit.jsonl.2", "audit.jsonl.lock");
    }
    for (int n = 0; n < 3; n++) {
      assertThat(Files.size(settings.nth(n))).isBetween(1L, 2048L);
    }
  }

  @Test
  @DisplayName("a batch that is larger than a file goes into several")
  void largeBatch() throws Exception {
    AuditSettings settings = new AuditSettings(file, 2048, 100, 1000);
    try (AuditLog log = open(settings)) {
      for (int i = 0; i < 500; i++) {
        log.record(entry(What.GRANTED, "x", Integer.toString(i)));
      }
      written(log);
      assertThat(all(log.reader())).hasSize(500);
    }
    for (int n = 0; Files.exists(settings.nth(n)); n++) {
      assertThat(Files.size(settings.nth(n))).isLessThanOrEqualTo(2048);
    }
  }

  @Test
  @DisplayName("a reader loses and repeats nothing while files are rotated")
  void readWhileRotating() throws Exception {
    try (AuditLog log = open(new AuditSettings(file, 4096, 100, 100_000))) {
      AtomicBoolean stop = new AtomicBoolean();
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; i < 1500 && !stop.get(); i++) {
                  log.record(entry(What.GRANTED, "x", Integer.toString(i)));
                }
              });
      writer.start();
      try {
        for (int round = 0; round < 30; round++) {
          List<AuditEntry> seen = log.reader().page(AuditQuery.newest(1000)).entries();
          for (int i = 1; i < seen.size(); i++) {
            assertThat(Integer.parseInt(seen.get(i).reason()))
                .isEqualTo(Integer.parseInt(seen.get(i - 1).reason()) - 1);
          }
        }
      } finally {
        stop.set(true);
        writer.join();
      }
    }
  }

  @Test
  @DisplayName("a full queue drops entries without waiting, and says how many are missing")
  void dropped() throws Exception {
    AuditSettings settings = new AuditSettings(file, 1 << 20, 2, 10);
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (AuditLog log = open(settings)) {
      log.whenWritten(
          () -> {
            blocked.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      blocked.await();
      for (int i = 0; i < 100; i++) {
        log.record(entry(What.GRANTED, "x", Integer.toString(i)));
      }
      assertThat(log.dropped()).isEqualTo(90);
      release.countDown();
      written(log);
      log.record(entry(What.GRANTED, "x", "after"));
      written(log);

      List<AuditEntry> newest = log.reader().page(AuditQuery.newest(3)).entries();
      assertThat(reasons(newest))
          .containsExactly("after", "90 entries are missing before this one", "9");
      assertThat(newest.get(1).what()).isEqualTo(What.DROPPED);
      assertThat(newest.get(1).who()).isEqualTo("holdfast");
    } finally {
      release.countDown();
    }
  }

  @Test
  @DisplayName("while the disk fails nothing waits and nothing is lost that fits into the queue")
  void diskFails() throws Exception {
    Path own = Files.createDirectory(folder.resolve("own"));
    Path moved = folder.resolve("moved");
    AuditSettings settings = new AuditSettings(own.resolve("audit.jsonl"), 1024, 5, 1000);
    AuditLog log = open(settings);
    try {
      log.record(entry(What.GRANTED, "x", "before"));
      written(log);
      // The next file cannot be made, as its folder has another name.
      Files.move(own, moved);
      String long900 = "y".repeat(900);
      log.record(entry(What.GRANTED, "x", long900));
      awaitProblem(log);

      assertThat(log.problem().orElseThrow()).contains("cannot be written");
      Files.move(moved, own);
      log.record(entry(What.GRANTED, "x", "after"));
      written(log);

      assertThat(log.problem()).isEmpty();
      assertThat(reasons(all(log.reader()))).containsExactly("after", long900, "before");
      assertThat(log.dropped()).isZero();
    } finally {
      log.close();
    }
  }

  private static void awaitProblem(AuditLog log) {
    while (log.problem().isEmpty()) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("a log that is closed while the disk fails ends, and counts what it lacks")
  void closedWhileFailing() throws Exception {
    Path own = Files.createDirectory(folder.resolve("own"));
    AuditLog log = open(new AuditSettings(own.resolve("audit.jsonl"), 1024, 2, 1000));
    log.record(entry(What.GRANTED, "x", "before"));
    written(log);
    Files.move(own, folder.resolve("moved"));
    log.record(entry(What.GRANTED, "x", "y".repeat(900)));
    awaitProblem(log);

    log.close();

    assertThat(log.dropped()).isEqualTo(1);
  }

  @Test
  @DisplayName("after a restart numbers go on, even when the clock has gone back")
  void restart() throws Exception {
    try (AuditLog log = open()) {
      log.record(entry(What.GRANTED, "x", "first"));
    }
    micros.addAndGet(-TimeUnit.HOURS.toMicros(1));
    try (AuditLog log = open()) {
      log.record(entry(What.GRANTED, "x", "second"));
      written(log);

      List<AuditEntry> all = all(log.reader());
      assertThat(reasons(all)).containsExactly("second", "first");
      assertThat(all.get(0).number()).isEqualTo(NOON + 1);
    }
  }

  @Test
  @DisplayName("a line that a crash has cut off stays one line, and is skipped and counted")
  void cutOff() throws Exception {
    try (AuditLog log = open()) {
      log.record(entry(What.GRANTED, "x", "first"));
    }
    Files.writeString(file, "{\"number\":\"18000", StandardOpenOption.APPEND);
    try (AuditLog log = open()) {
      log.record(entry(What.GRANTED, "x", "second"));
      written(log);

      AuditPage page = log.reader().page(AuditQuery.newest(10));
      assertThat(reasons(page.entries())).containsExactly("second", "first");
      assertThat(page.unreadable()).isEqualTo(1);
    }
    assertThat(Files.readAllLines(file)).hasSize(3);
  }

  @Test
  @DisplayName("a file that somebody has moved away is begun again")
  void movedAway() throws Exception {
    try (AuditLog log = open()) {
      log.record(entry(What.GRANTED, "x", "first"));
      written(log);
    }
    AuditFiles files = AuditFiles.open(AuditSettings.defaults(file));
    try {
      files.append("{}\n".getBytes(StandardCharsets.UTF_8));
      Files.move(file, folder.resolve("elsewhere"));
      files.force();
      files.append("{\"a\":1}\n".getBytes(StandardCharsets.UTF_8));
    } finally {
      files.close();
    }
    assertThat(file).hasContent("{\"a\":1}");
  }

  @Test
  @DisplayName("two servers do not share a file")
  void twoServers() throws Exception {
    try (AuditLog log = open()) {
      assertThat(log.problem()).isEmpty();
      assertThatThrownBy(this::open)
          .isInstanceOf(IOException.class)
          .hasMessage(
              "another server writes the audit "
                  + file
                  + ": name a file of its own for each server");
    }
    open().close();
    assertThatThrownBy(() -> open(AuditSettings.defaults(folder.resolve("no/audit"))))
        .isInstanceOf(IOException.class);
  }

  @Test
  @DisplayName("a page is filtered by kind, principal, namespace, prefix, time and right")
  void filters() throws Exception {
    try (AuditLog log = open()) {
      log.record(entry(What.GRANTED, "orders/1", "a"));
      micros.addAndGet(1_000_000);
      log.record(entry(What.RELEASED, "orders/1", "b"));
      log.record(AuditEntry.of(What.DENIED, "unknown", Optional.empty(), 0, "", "c"));
      Resource other = new Resource("other", "orders/2");
      log.record(AuditEntry.of(What.GRANTED, "ops", Optional.of(other), 1, "", "d"));
      written(log);
      AuditReader reader = log.reader();
      AuditQuery all = AuditQuery.newest(10);

      assertThat(reasons(reader.page(all).entries())).containsExactly("d", "c", "b", "a");
      assertThat(reader.page(all).next()).isEmpty();
      assertThat(find(reader, query(Optional.of(What.GRANTED), null, null, "", null)))
          .containsExactly("d", "a");
      assertThat(find(reader, query(Optional.empty(), "ops", null, "", null))).containsExactly("d");
      assertThat(find(reader, query(Optional.empty(), null, "default", "", null)))
          .containsExactly("b", "a");
      assertThat(find(reader, query(Optional.empty(), null, null, "orders/1", null)))
          .containsExactly("b", "a");
      Instant second = Instant.EPOCH.plusSeconds(NOON / 1_000_000 + 1);
      assertThat(find(reader, query(Optional.empty(), null, null, "", second)))
          .containsExactly("d", "c", "b");
      assertThat(reasons(reader.page(all.visibleTo(each -> each.lock().isPresent())).entries()))
          .containsExactly("d", "b", "a");
    }
  }

  private static List<String> find(AuditReader reader, AuditQuery query) throws IOException {
    return reasons(reader.page(query).entries());
  }

  private static AuditQuery query(
      Optional<What> what, String who, String namespace, String prefix, Instant since) {
    return new AuditQuery(
        Optional.empty(),
        10,
        what,
        Optional.ofNullable(who),
        Optional.ofNullable(namespace),
        prefix,
        Optional.ofNullable(since),
        entry -> true);
  }

  @Test
  @DisplayName("a page looks through a bounded part of the files, and the next goes on there")
  void bounded() throws Exception {
    AuditSettings settings = new AuditSettings(file, 4096, 100, 10_000);
    try (AuditLog log = open(settings)) {
      log.record(entry(What.EVICTED, "x", "the only one"));
      for (int i = 0; i < 300; i++) {
        log.record(entry(What.GRANTED, "x", Integer.toString(i)));
      }
      written(log);
      AuditReader reader =
          new AuditReader(settings, new ReentrantReadWriteLock().readLock(), 10_000);
      AuditQuery query = query(Optional.of(What.EVICTED), null, null, "", null);
      int pages = 1;
      AuditPage page = reader.page(query);
      assertThat(page.entries()).isEmpty();
      while (page.entries().isEmpty()) {
        page = reader.page(query.before(page.next().orElseThrow()));
        pages++;
      }
      assertThat(reasons(page.entries())).containsExactly("the only one");
      assertThat(pages).isBetween(4, 8);
    }
  }

  @Test
  @DisplayName("lines that span blocks of the reader come back whole")
  void longLines() throws Exception {
    try (AuditLog log = open()) {
      for (int i = 0; i < 40; i++) {
        log.record(entry(What.GRANTED, "x", (char) ('a' + i % 26) + "z".repeat(i * 997)));
      }
      written(log);
      List<AuditEntry> all = all(log.reader());
      assertThat(all).hasSize(40);
      for (int i = 0; i < 40; i++) {
        int expected = 39 - i;
        assertThat(all.get(i).reason())
            .isEqualTo((char) ('a' + expected % 26) + "z".repeat(expected * 997));
      }
    }
  }
}
