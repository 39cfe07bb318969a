package io.holdfast.redis.connection;

import io.holdfast.rig.time.Await;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A listener that remembers. */
final class RememberedSignals implements SignalListener {

  final List<String> messages = new CopyOnWriteArrayList<>();
  private final ConcurrentHashMap<String, AtomicInteger> armed = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, AtomicInteger> lost = new ConcurrentHashMap<>();

  @Override
  public void message(String channel, String payload) {
    messages.add(channel + "=" + payload);
  }

  @Override
  public void armed(String channel) {
    armed.computeIfAbsent(channel, name -> new AtomicInteger()).incrementAndGet();
  }

  @Override
  public void lost(String channel) {
    lost.computeIfAbsent(channel, name -> new AtomicInteger()).incrementAndGet();
  }

  int timesArmed(String channel) {
    return armed.getOrDefault(channel, new AtomicInteger()).get();
  }

  int timesLost(String channel) {
    return lost.getOrDefault(channel, new AtomicInteger()).get();
  }

  /** How many channels were armed at least once. */
  int channels() {
    return armed.size();
  }

  void awaitArmed(String channel, int times) {
    Await.until(
        channel + " armed " + times, ConnectionScene.BOUND, () -> timesArmed(channel) >= times);
  }

  void awaitMessage(String message) {
    Await.until("message " + message, ConnectionScene.BOUND, () -> messages.contains(message));
  }
}
