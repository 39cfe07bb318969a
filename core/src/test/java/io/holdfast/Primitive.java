package io.holdfast;

import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import java.time.Duration;

/** The ways to take something so that no rival can have it too: all of them must behave alike. */
enum Primitive {
  /** A mutex in no order: the threads of a client share a ticket. */
  ANY {
    @Override
    DistributedLock of(View view, String name) {
      return view.lock(Name.plain(name), Shape.mutex(Order.ANY), 1);
    }
  },
  /** A mutex in strict order: each has a ticket of its own. */
  FIFO {
    @Override
    DistributedLock of(View view, String name) {
      return view.lock(Name.plain(name), Shape.mutex(Order.FIFO), 1);
    }
  },
  /** A mutex whose lease is not renewed. */
  FIXED {
    @Override
    DistributedLock of(View view, String name) {
      View fixed = view.client().view(view.options().withFixedLease(Duration.ofSeconds(30)));
      return fixed.lock(Name.plain(name), Shape.mutex(Order.ANY), 1);
    }
  },
  /** All permits of a semaphore. */
  SEMAPHORE {
    @Override
    DistributedLock of(View view, String name) {
      return view.semaphore(Name.plain(name), 3).permits(3);
    }
  },
  /** The exclusive side of a read/write lock. */
  WRITE {
    @Override
    DistributedLock of(View view, String name) {
      return new ReadWriteLine(view, Name.plain(name)).writeLock();
    }
  };

  abstract DistributedLock of(View view, String name);
}
