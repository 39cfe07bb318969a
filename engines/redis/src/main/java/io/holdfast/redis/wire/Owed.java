package io.holdfast.redis.wire;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a server must still be told, by the secret of the ticket that it is about: the last word on
 * a ticket replaces earlier ones. Bounded; what is dropped ends with its lease. Any thread may use
 * it.
 */
final class Owed {

  static final int MOST = 4096;

  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<String, Call> calls = new LinkedHashMap<>();

  void add(String about, Call call) {
    lock.lock();
    try {
      calls.remove(about);
      calls.put(about, call);
      drop();
    } finally {
      lock.unlock();
    }
  }

  /** All of it, the oldest first. It stays owed until it is {@link #paid}. */
  Map<String, Call> all() {
    lock.lock();
    try {
      return new LinkedHashMap<>(calls);
    } finally {
      lock.unlock();
    }
  }

  /** The server has done this; a newer word on the same ticket stays. */
  void paid(String about, Call call) {
    lock.lock();
    try {
      calls.remove(about, call);
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return calls.size();
    } finally {
      lock.unlock();
    }
  }

  private void drop() {
    var oldest = calls.keySet().iterator();
    while (calls.size() > MOST) {
      oldest.next();
      oldest.remove();
    }
  }
}
