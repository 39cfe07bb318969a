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

  /** Takes all of it. */
  Map<String, Call> take() {
    lock.lock();
    try {
      Map<String, Call> all = new LinkedHashMap<>(calls);
      calls.clear();
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Puts back what could not be delivered; newer words win. */
  void putBack(Map<String, Call> undelivered) {
    lock.lock();
    try {
      undelivered.forEach(calls::putIfAbsent);
      drop();
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
