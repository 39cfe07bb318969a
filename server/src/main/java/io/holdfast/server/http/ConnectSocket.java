package io.holdfast.server.http;

import io.holdfast.server.security.Call;
import io.holdfast.server.security.Caller;
import io.holdfast.server.security.Permit;
import io.holdfast.server.security.Principal;
import io.holdfast.server.verbs.CallerInspector;
import io.holdfast.server.verbs.Gate;
import io.holdfast.server.verbs.RejectedException;
import io.holdfast.server.verbs.VerbService;
import io.holdfast.server.verbs.VerbService.Signals;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Wake;
import io.holdfast.spi.wire.MalformedMessageException;
import io.holdfast.spi.wire.MessageReader;
import io.holdfast.spi.wire.MessageWriter;
import io.holdfast.spi.wire.Query;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import io.holdfast.spi.wire.Wire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/**
 * A connection of the remote engine: its verbs and queries, their replies, and its wakes.
 *
 * <p>When it ends nothing else changes. The client may have asked another server with the same
 * tickets already; to leave for it would break its hold.
 */
public final class ConnectSocket implements Session.Listener.AutoDemanding, VerbBatch.Sender {

  private static final int PROTOCOL_ERROR = 1002;

  private final VerbService verbs;
  private final Connections connections;
  private final Caller caller;
  private final long epoch;
  private final AtomicInteger inProgress = new AtomicInteger();
  private volatile @Nullable Session session;
  private volatile @Nullable OutgoingMessages out;
  private volatile boolean isStopping;
  private volatile long heardAt;

  ConnectSocket(VerbService verbs, Connections connections, Caller caller) {
    this.verbs = verbs;
    this.connections = connections;
    this.caller = caller;
    this.epoch = verbs.pauses().epoch();
    this.heardAt = connections.nanoTime();
  }

  @Override
  public void onWebSocketOpen(Session opened) {
    session = opened;
    out = new OutgoingMessages(opened);
    connections.opened(this);
    send(connections.hello().toMessage());
  }

  @Override
  public void onWebSocketPong(ByteBuffer payload) {
    heardAt = connections.nanoTime();
  }

  @Override
  public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
    heardAt = connections.nanoTime();
    try {
      MessageReader message = new MessageReader(payload);
      byte type = message.get();
      switch (type) {
        case Wire.VERBS -> received(message);
        case Wire.QUERY -> asked(message);
        default -> throw new MalformedMessageException("unknown message: " + type);
      }
      callback.succeed();
    } catch (MalformedMessageException e) {
      callback.succeed();
      close(PROTOCOL_ERROR, "malformed message");
    }
  }

  private void received(MessageReader message) throws MalformedMessageException {
    int first = message.getInt();
    int count = message.getCount();
    if (count > Wire.MOST_VERBS) {
      throw new MalformedMessageException("more than " + Wire.MOST_VERBS + " verbs: " + count);
    }
    // All are read before the first one is sent: a message is executed as a whole or not at all.
    List<VerbMessage> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(VerbMessage.read(message));
    }
    VerbBatch batch = new VerbBatch(first, count, this);
    boolean isStale = !verbs.pauses().isCurrent(epoch);
    for (int i = 0; i < count; i++) {
      int index = i;
      VerbMessage verb = all.get(i);
      inProgress.incrementAndGet();
      try {
        verbs.submit(
            verb,
            VerbService.callOf(verb),
            caller,
            epoch,
            signals(verb),
            reply -> {
              batch.replied(index, reply);
              ended();
            });
      } catch (RejectedException e) {
        batch.replied(index, new Reply.Failed(e.toFailure()));
        ended();
      }
    }
    if (isStale || isUnknown()) {
      closeAfterReplies();
    }
  }

  private Signals signals(VerbMessage verb) {
    Resource resource = verb.ticket().resource();
    Optional<Runnable> changed = Optional.of(() -> sendChanged(resource));
    return new Signals(
        verb instanceof VerbMessage.Attempt attempt && attempt.waiter() != 0
            ? new WakeMessage(attempt.waiter(), attempt.attempt())
            : Signals.NONE.wake(),
        changed);
  }

  private void sendChanged(Resource resource) {
    MessageWriter message = new MessageWriter(Wire.CHANGED);
    Wire.write(message, resource);
    send(message);
  }

  /** The wake of one attempt, as messages. */
  private final class WakeMessage implements Wake {

    private final long waiter;
    private final long attempt;

    WakeMessage(long waiter, long attempt) {
      this.waiter = waiter;
      this.attempt = attempt;
    }

    @Override
    public void wake() {
      send(new MessageWriter(Wire.WAKE).putLong(waiter).putLong(attempt));
    }

    @Override
    public void granted(Standing.Granted granted) {
      MessageWriter message = new MessageWriter(Wire.GRANT).putLong(waiter).putLong(attempt);
      Reply.write(message, granted);
      send(message);
    }
  }

  private void asked(MessageReader message) throws MalformedMessageException {
    int number = message.getInt();
    Query query = Query.read(message);
    if (!verbs.pauses().isCurrent(epoch)) {
      reply(number, new EngineException.Unknown("this server stood still", null));
      closeAfterReplies();
      return;
    }
    inProgress.incrementAndGet();
    try {
      Principal principal = check(query);
      Permit room = verbs.gate().room(caller, principal, callOf(query), Optional.empty());
      submit(number, query, principal, room);
    } catch (RejectedException e) {
      reply(number, e.toFailure());
      ended();
      if (isUnknown()) {
        closeAfterReplies();
      }
    }
  }

  private void submit(int number, Query query, Principal principal, Permit room) {
    try {
      connections.run(() -> run(number, query, principal, room));
    } catch (RejectedExecutionException e) {
      reply(number, new EngineException.NotDone("this server has too much to do", e));
      room.close();
      ended();
    }
  }

  private static Call callOf(Query query) {
    if (query instanceof Query.ListLines) {
      return Call.LIST_LOCKS;
    } else if (query instanceof Query.Show) {
      return Call.SHOW_LOCK;
    } else if (query instanceof Query.Take take) {
      return take.atOnce() ? Call.EVICT : Call.REVOKE;
    }
    return query instanceof Query.Count ? Call.TAKE : Call.GIVE_BACK;
  }

  private Principal check(Query query) throws RejectedException {
    Gate gate = verbs.gate();
    Call call = callOf(query);
    if (query instanceof Query.ListLines list) {
      return gate.checkListing(caller, list.namespace(), list.prefix());
    } else if (query instanceof Query.Show show) {
      return gate.checkCall(caller, call, show.resource());
    } else if (query instanceof Query.Take take) {
      return gate.checkCall(caller, call, take.resource());
    } else if (query instanceof Query.Count count) {
      return gate.checkCall(caller, call, count.ask().name());
    }
    return gate.checkCall(caller, call, ((Query.GiveBack) query).resource());
  }

  private void run(int number, Query query, Principal principal, Permit room) {
    try {
      MessageWriter result = new MessageWriter(Wire.RESULT).putInt(number).put('K');
      query.run(
          verbs.engine(),
          inspector -> new CallerInspector(inspector, principal, verbs.gate().audit()),
          result);
      send(result);
    } catch (EngineException e) {
      reply(number, e);
    } catch (IllegalArgumentException e) {
      reply(number, new EngineException.Refused(String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      reply(number, new EngineException.Unknown("the engine failed: " + e, e));
    } finally {
      room.close();
      ended();
    }
  }

  private void reply(int number, EngineException failure) {
    MessageWriter message = new MessageWriter(Wire.RESULT).putInt(number).put('F');
    Reply.write(message, failure);
    send(message);
  }

  @Override
  public void send(MessageWriter message) {
    OutgoingMessages open = out;
    if (open != null) {
      open.send(message);
    }
  }

  @Override
  public void started(VerbBatch batch) {
    connections.started(batch);
  }

  @Override
  public void finished(VerbBatch batch) {
    connections.finished(batch);
  }

  /** Closes the connection when nothing is in progress any more. */
  void closeAfterReplies() {
    isStopping = true;
    if (inProgress.get() == 0) {
      closeNow();
    }
  }

  private void ended() {
    if (inProgress.decrementAndGet() == 0 && isStopping) {
      closeNow();
    }
  }

  /** Closes the connection, after what was sent. */
  void closeNow() {
    OutgoingMessages open = out;
    if (open != null) {
      open.closeInTheEnd();
    }
  }

  /** Returns whether the client's token was removed: a new connection may have a new one. */
  private boolean isUnknown() {
    return caller.principal().isEmpty();
  }

  /** Asks the client for a sign of life. Without a valid token it is told nothing more. */
  void ping() {
    if (isUnknown()) {
      closeAfterReplies();
      return;
    }
    Session open = session;
    if (open != null && open.isOpen()) {
      // Pings that this side sends keep the time-outs of idle connections away.
      if (connections.nanoTime() - heardAt > Connections.SILENCE.toNanos()) {
        open.disconnect();
        return;
      }
      open.sendPing(ByteBuffer.allocate(0), Callback.NOOP);
    }
  }

  private void close(int code, String why) {
    Session open = session;
    if (open != null) {
      open.close(code, why, Callback.NOOP);
    }
  }

  @Override
  public void onWebSocketClose(int code, String reason, Callback callback) {
    closed();
    callback.succeed();
  }

  /** A broken connection is closed, too; the client knows more about it than this server. */
  @Override
  public void onWebSocketError(Throwable cause) {
    closed();
  }

  private void closed() {
    caller.connection().close();
    connections.closed(this);
  }
}
