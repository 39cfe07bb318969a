package io.holdfast.examples;

import io.holdfast.DistributedReadWriteLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import java.time.Duration;

/** Many readers or one writer, and a writer that goes on as a reader. */
public final class ReadersAndWriters {

  private ReadersAndWriters() {}

  public static void main(String[] args) throws InterruptedException {
    Duration patience = Duration.ofSeconds(5);
    try (Holdfast holdfast = Holdfast.connect("memory:")) {
      // region docs
      DistributedReadWriteLock catalog = holdfast.readWriteLock("catalog");

      try (Hold one = catalog.readLock().acquire(patience);
          Hold two = catalog.readLock().acquire(patience)) {
        System.out.println("readers together: " + (one.isHeld() && two.isHeld()));
        System.out.println("writer beside them: " + catalog.writeLock().tryAcquire().isPresent());
      }

      Hold writer = catalog.writeLock().acquire(patience);
      System.out.println("reader beside a writer: " + catalog.readLock().tryAcquire().isPresent());

      // From here on it reads what it wrote, and no writer came in between.
      try (Hold reader = catalog.downgrade(writer);
          Hold other = catalog.readLock().acquire(patience)) {
        System.out.println("same token: " + (reader.token() == writer.token()));
        System.out.println("others read too: " + other.isHeld());
      }
      // endregion
    }
  }
}
