package io.holdfast.ids;

import io.holdfast.Holdfast;
import io.holdfast.ids.internal.BitMixer;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A program that makes ids of every kind, a portion of each in turn, and writes them down, until it
 * has made so many and is told to finish. Arguments: a folder for its files, the addresses of a
 * store and of a database, how many local ids of a kind, and how many that need a trip each.
 */
final class IdMakerProgram {

  /** How many of a portion need no trip. */
  private static final int LOCAL = 1_000;

  private static final long PAUSE_NANOS = 20_000_000;

  private final Path folder;
  private final Ids ids;
  private final List<Line> lines = new ArrayList<>();
  private LongIds timeline;

  /** One kind of ids: where they come from and where they are written. */
  private record Line(LongSupplier next, DataOutputStream file, int portion) {

    /** Answers how many it made: fewer if there are none now. */
    int make() throws IOException {
      int made = 0;
      try {
        while (made < portion) {
          file.writeLong(next.getAsLong());
          made++;
        }
      } catch (IdsUnavailableException e) {
        System.out.println("none " + e.getMessage());
        LockSupport.parkNanos(PAUSE_NANOS);
      }
      return made;
    }
  }

  private IdMakerProgram(Path folder, Holdfast holdfast) {
    this.folder = folder;
    this.ids = Ids.over(holdfast);
  }

  public static void main(String[] args) throws Exception {
    try (Holdfast holdfast = Holdfast.connect(args[1])) {
      IdMakerProgram minter =
          new IdMakerProgram(Files.createDirectories(Path.of(args[0])), holdfast);
      minter.run(args[2], Long.parseLong(args[3]), Long.parseLong(args[4]));
    }
  }

  private void run(String database, long local, long remote) throws Exception {
    UuidIds seven = Ids.uuid7();
    LongIds segment = ids.segment("blocks");
    LongIds counter = ids.counter("one-by-one");
    LongIds sequence = Ids.sequence(new SingleConnectionSource(database), "u", 1, 1);
    int few = (int) Math.max(1, LOCAL * remote / local);
    open();
    add("uuid4", LOCAL, () -> fingerprint(Ids.uuid4().next()));
    add("uuid7", LOCAL, () -> fingerprint(seven.next()));
    add("segment", LOCAL, segment::next);
    add("timeline", LOCAL, this::next);
    add("counter", few, counter::next);
    add("sequence", few, sequence::next);
    System.out.println("ready");
    Thread listener = new Thread(this::listen, "listener");
    listener.setDaemon(true);
    listener.start();
    make(local);
    for (Line line : lines) {
      line.file.close();
    }
    timeline.close();
    segment.close();
    System.out.println("done");
  }

  private volatile boolean finish;

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      finish = "finish".equals(in.readLine());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Portion by portion; when there are enough, slowly. */
  private void make(long local) throws IOException {
    long made = 0;
    long least = 0;
    boolean half = false;
    while (least < local || !finish) {
      long round = Long.MAX_VALUE;
      for (Line line : lines) {
        round = Math.min(round, (long) line.make() * LOCAL / line.portion);
        line.file.flush();
      }
      made += round;
      least = made;
      if (!half && least >= local / 2) {
        half = true;
        System.out.println("half");
      }
      if (least >= local && least - round < local) {
        System.out.println("counted");
      }
      if (least >= local) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void add(String kind, int portion, LongSupplier next) throws IOException {
    lines.add(
        new Line(
            next,
            new DataOutputStream(
                new BufferedOutputStream(Files.newOutputStream(folder.resolve(kind)), 1 << 16)),
            portion));
  }

  private void open() {
    timeline = ids.timeline("u");
    System.out.println("seated " + timeline.describe(timeline.next()).worker().orElseThrow());
  }

  private long next() {
    while (true) {
      try {
        return timeline.next();
      } catch (ClockRegressionException e) {
        // As a program that is started anew: with another worker number.
        System.out.println("regressed " + e.behind().toMillis());
        timeline.close();
        open();
      }
    }
  }

  /** 64 bits that are the same for two UUIDs by a chance of 1 in 5,000 among 80,000,000. */
  private static long fingerprint(UUID id) {
    return BitMixer.mix(id.getMostSignificantBits()) ^ id.getLeastSignificantBits();
  }
}
