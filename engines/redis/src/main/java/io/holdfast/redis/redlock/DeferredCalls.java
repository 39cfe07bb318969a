package io.holdfast.redis.redlock;

import io.holdfast.redis.connection.ScriptCall;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls that a master must still execute, keyed by the ticket's id. Thread-safe.
 *
 * <p>The latest call for a ticket replaces earlier ones. Bounded: what a dropped call was to end,
 * ends with its lease.
 */
final class DeferredCalls {

  static final int MOST = 4096;

  private final ReentrantLock lock = new ReentrantLock();
  private final LinkedHashMap<String, ScriptCall> calls = new LinkedHashMap<>();

  void add(String about, ScriptCall call) {
    lock.lock();
    try {
      calls.remove(about);
      calls.put(about, call);
      drop();
    } finally {
      lock.unlock();
    }
  }

  /** Returns all calls, the oldest first. They stay until they are {@link #done}. */
  Map<String, ScriptCall> all() {
    lock.lock();
    try {
      return new LinkedHashMap<>(calls);
    } finally {
      lock.unlock();
    }
  }

  /** The master has executed a call; a newer one for the same ticket stays. */
  void done(String about, ScriptCall call) {
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
