package io.holdfast.etcd.wire;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.StreamObserver;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Wake;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What waiting tickets watch, all over one stream. A watch begins at the revision after the look
 * that made it necessary, so nothing falls between the two. It rings once; whatever ends it
 * otherwise (compaction, a lost stream) rings too: whoever is woken looks again.
 *
 * <p>Safe for any number of threads. Wakes are called with no lock held.
 */
public final class Watches implements AutoCloseable {

  /** What a ticket watches: one key, or a range where joins do not count. */
  public record Watched(ByteString key, ByteString end) {}

  private static final class Bell {
    private final Ticket.Id ticket;
    private final Watched watched;
    private Wake wake;
    private long number = -1;

    Bell(Ticket.Id ticket, Watched watched, Wake wake) {
      this.ticket = ticket;
      this.watched = watched;
      this.wake = wake;
    }
  }

  private final Members members;
  private final Duration timeout;
  private final Map<Ticket.Id, Bell> bells = new HashMap<>();
  private final Map<Long, Bell> byNumber = new HashMap<>();
  private final ArrayDeque<Bell> asked = new ArrayDeque<>();
  private final AtomicLong rung = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private @Nullable Stream stream;
  private boolean closed;

  /** No stream is open yet. */
  public Watches(Members members, Duration timeout) {
    this.members = members;
    this.timeout = timeout;
  }

  /** How often a ticket was woken by an event. */
  public long rung() {
    return rung.get();
  }

  /** How often the stream was lost. */
  public long lost() {
    return lost.get();
  }

  /** How many tickets watch something. */
  public synchronized int size() {
    return bells.size();
  }

  /**
   * Wakes the ticket at the next change of what it watches, from that revision on; replaces what it
   * watched before.
   *
   * @return false when there is no stream: then it must ask again by itself
   */
  public synchronized boolean arm(Ticket.Id ticket, Watched watched, long from, Wake wake) {
    if (closed) {
      return false;
    }
    Bell known = bells.get(ticket);
    if (known != null && known.watched.equals(watched)) {
      known.wake = wake;
      return true;
    }
    disarm(ticket);
    try {
      Stream open = stream();
      Bell bell = new Bell(ticket, watched, wake);
      bells.put(ticket, bell);
      asked.add(bell);
      open.requests.onNext(
          WatchRequest.newBuilder()
              .setCreateRequest(
                  WatchCreateRequest.newBuilder()
                      .setKey(watched.key())
                      .setRangeEnd(watched.end())
                      .setStartRevision(from))
              .build());
      return true;
    } catch (RuntimeException e) {
      // The stream broke while it was used; its end is told to all that watch.
      return false;
    }
  }

  /** The ticket watches nothing any more. */
  public synchronized void disarm(Ticket.Id ticket) {
    Bell bell = bells.remove(ticket);
    if (bell != null && bell.number >= 0) {
      byNumber.remove(bell.number);
      cancel(bell.number);
    }
  }

  private void cancel(long number) {
    Stream open = stream;
    if (open != null) {
      try {
        open.requests.onNext(
            WatchRequest.newBuilder()
                .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(number))
                .build());
      } catch (RuntimeException e) {
        // A stream that is broken has no watches.
      }
    }
  }

  private Stream stream() {
    if (stream == null) {
      Members.Member member = members.current();
      Stream fresh = new Stream(member);
      fresh.requests =
          WatchGrpc.newStub(members.login().dress(member.channel(), timeout)).watch(fresh);
      stream = fresh;
    }
    return stream;
  }

  private @Nullable Wake heard(Stream from, WatchResponse response) {
    synchronized (this) {
      if (from != stream) {
        return null;
      }
      if (response.getCreated()) {
        Bell bell = asked.poll();
        if (bell == null || bells.get(bell.ticket) != bell) {
          cancel(response.getWatchId());
          return null;
        }
        bell.number = response.getWatchId();
        byNumber.put(bell.number, bell);
      }
      Bell bell = byNumber.get(response.getWatchId());
      if (bell == null || !(response.getCanceled() || rings(bell, response))) {
        return null;
      }
      bells.remove(bell.ticket);
      byNumber.remove(bell.number);
      if (!response.getCanceled()) {
        cancel(bell.number);
      }
      rung.incrementAndGet();
      return bell.wake;
    }
  }

  /** In a range, one that joins makes no room: only who goes or is changed does. */
  private static boolean rings(Bell bell, WatchResponse response) {
    for (Event event : response.getEventsList()) {
      boolean joined = event.getType() == Event.EventType.PUT && event.getKv().getVersion() == 1;
      if (bell.watched.end().isEmpty() || !joined) {
        return true;
      }
    }
    return false;
  }

  private void ended(Stream ended) {
    List<Wake> wakes = new ArrayList<>();
    synchronized (this) {
      if (ended != stream) {
        return;
      }
      stream = null;
      bells.values().forEach(bell -> wakes.add(bell.wake));
      bells.clear();
      byNumber.clear();
      asked.clear();
    }
    lost.incrementAndGet();
    members.failed(ended.member);
    wakes.forEach(Wake::wake);
  }

  @Override
  public synchronized void close() {
    closed = true;
    Stream open = stream;
    stream = null;
    if (open != null) {
      open.requests.onCompleted();
    }
  }

  /** One stream; nothing that it says after its end counts. */
  private final class Stream implements StreamObserver<WatchResponse> {
    private final Members.Member member;
    private StreamObserver<WatchRequest> requests = new Nowhere();

    Stream(Members.Member member) {
      this.member = member;
    }

    @Override
    public void onNext(WatchResponse response) {
      Wake wake = heard(this, response);
      if (wake != null) {
        wake.wake();
      }
    }

    @Override
    public void onError(Throwable failure) {
      ended(this);
    }

    @Override
    public void onCompleted() {
      ended(this);
    }
  }

  /** Until the stream is there. */
  private static final class Nowhere implements StreamObserver<WatchRequest> {
    @Override
    public void onNext(WatchRequest request) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }
}
