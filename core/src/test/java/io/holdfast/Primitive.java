package io.holdfast;

import io.holdfast.runtime.client.ClientView;
import io.holdfast.runtime.client.LockName;
import io.holdfast.runtime.primitive.DefaultReadWriteLock;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import java.time.Duration;

/** The exclusive primitives, which must all behave alike. */
enum Primitive {
  /** A mutex in no order: the threads of a client share a ticket. */
  ANY {
    @Override
    DistributedLock of(ClientView view, String name) {
      return view.lock(LockName.plain(name), Shape.mutex(Order.ANY), 1);
    }
  },
  /** A mutex in strict order: each has a ticket of its own. */
  FIFO {
    @Override
    DistributedLock of(ClientView view, String name) {
      return view.lock(LockName.plain(name), Shape.mutex(Order.FIFO), 1);
    }
  },
  /** A mutex whose lease is not renewed. */
  FIXED {
    @Override
    DistributedLock of(ClientView view, String name) {
      ClientView fixed = view.client().view(view.options().withFixedLease(Duration.ofSeconds(30)));
      return fixed.lock(LockName.plain(name), Shape.mutex(Order.ANY), 1);
    }
  },
  /** All permits of a semaphore. */
  SEMAPHORE {
    @Override
    DistributedLock of(ClientView view, String name) {
      return view.semaphore(LockName.plain(name), 3).permits(3);
    }
  },
  /** The exclusive side of a read/write lock. */
  WRITE {
    @Override
    DistributedLock of(ClientView view, String name) {
      return new DefaultReadWriteLock(view, LockName.plain(name)).writeLock();
    }
  };

  abstract DistributedLock of(ClientView view, String name);

  /** The kind that events report. */
  Kind kind() {
    return switch (this) {
      case ANY, FIFO, FIXED -> Kind.MUTEX;
      case SEMAPHORE -> Kind.SEMAPHORE;
      case WRITE -> Kind.WRITE;
    };
  }
}
