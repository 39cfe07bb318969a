package io.holdfast.remote.verbs;

import io.holdfast.remote.connection.ServerConnection;
import io.holdfast.spi.BatchEngine;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import io.holdfast.spi.support.WaiterRegistry.Armed;
import io.holdfast.spi.wire.MalformedMessageException;
import io.holdfast.spi.wire.MessageReader;
import io.holdfast.spi.wire.MessageWriter;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import io.holdfast.spi.wire.Wire;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends verbs to a server over one connection, on which their replies and wakes come back.
 *
 * <p>A verb is sent once. Its ticket is the client's own, so that the runtime can repeat it at any
 * server, with the same effect.
 */
public final class RemoteLane implements BatchEngine {

  /** Leaves room for the last verb of a message: the name, and an owner of a sensible length. */
  private static final int FULL = Wire.LONGEST_REQUEST / 2;

  private final RemoteContext context;
  private volatile @Nullable Session session;
  private int verbs;
  private volatile boolean isClosed;

  private RemoteLane(RemoteContext context) {
    this.context = context;
  }

  /** Opens a lane with a connection of its own. */
  public static RemoteLane open(RemoteContext context) throws EngineException {
    RemoteLane lane = new RemoteLane(context);
    lane.session = lane.connect();
    return lane;
  }

  private Session connect() throws EngineException {
    Session fresh = new Session();
    fresh.connection = context.servers().connect(fresh);
    return fresh;
  }

  /** The present connection, or a new one if it was lost between two batches. */
  private Session connected() throws EngineException {
    Session present = session;
    if (present != null && !present.isLost()) {
      return present;
    }
    if (isClosed) {
      throw new EngineException.NotDone("the lane is closed", null);
    }
    Session fresh = connect();
    session = fresh;
    if (isClosed) {
      fresh.close();
    }
    return fresh;
  }

  @Override
  public void perform(List<Verb> batch) {
    Session open;
    try {
      open = connected();
    } catch (EngineException e) {
      batch.forEach(verb -> verb.fail(e));
      return;
    }
    open.perform(batch);
  }

  @Override
  public EngineTraits traits() {
    return context.traits();
  }

  /** May be called by another thread, to give up verbs that take too long. */
  @Override
  public void close() {
    isClosed = true;
    Session open = session;
    if (open != null) {
      open.close();
    }
  }

  /** One connection of the lane. */
  private final class Session implements ServerConnection.Listener {

    private volatile @Nullable ServerConnection connection;
    private volatile @Nullable PendingVerbs pending;
    private volatile boolean isLost;

    boolean isLost() {
      ServerConnection open = connection;
      return isLost || open == null || open.isLost();
    }

    void close() {
      ServerConnection open = connection;
      if (open != null) {
        open.close();
      }
    }

    void perform(List<Verb> batch) {
      ServerConnection open = connection;
      if (open == null) {
        return;
      }
      int first = verbs;
      PendingVerbs sent = new PendingVerbs(first, batch);
      pending = sent;
      String why = "no reply within the operation timeout";
      try {
        send(open, batch);
        sent.await(context.servers().timeout().toNanos(), this::isLost);
        if (isLost()) {
          why = "the connection was lost before the reply: " + open.cause();
        }
      } catch (IOException e) {
        why = "the connection was lost while sending: " + e.getMessage();
      }
      pending = null;
      if (!sent.isComplete()) {
        context.servers().avoid(open.server());
        String message = "no reply from " + open.server() + ": " + why;
        batch.forEach(verb -> verb.fail(new EngineException.Unknown(message, null)));
      }
    }

    private void send(ServerConnection open, List<Verb> batch) throws IOException {
      MessageWriter out = message();
      int count = 0;
      for (Verb verb : batch) {
        if (count == Wire.MOST_VERBS || out.size() > FULL) {
          finish(open, out, count);
          out = message();
          count = 0;
        }
        message(verb).write(out);
        verbs++;
        count++;
      }
      finish(open, out, count);
    }

    private MessageWriter message() {
      return new MessageWriter(Wire.VERBS).putInt(verbs).putInt(0);
    }

    private void finish(ServerConnection open, MessageWriter out, int count) throws IOException {
      out.setInt(1 + Integer.BYTES, count);
      open.send(out);
    }

    private VerbMessage message(Verb verb) {
      if (verb instanceof Verb.Attempt attempt) {
        if (!verb.ticket().waits()) {
          return new VerbMessage.Attempt(verb.ticket(), 0, 0);
        }
        Armed<Object> armed = context.waiters().arm(this, verb.ticket(), attempt.wake());
        return new VerbMessage.Attempt(verb.ticket(), armed.number(), armed.attempt());
      } else if (verb instanceof Verb.Renew) {
        return new VerbMessage.Renew(verb.ticket());
      } else if (verb instanceof Verb.Leave leave) {
        context.waiters().remove(verb.ticket().id());
        return new VerbMessage.Leave(verb.ticket(), leave.inDoubt());
      } else if (verb instanceof Verb.Settle settle) {
        return new VerbMessage.Settle(verb.ticket(), settle.keep());
      }
      return new VerbMessage.Resize(verb.ticket());
    }

    @Override
    public void received(byte type, MessageReader message) throws MalformedMessageException {
      switch (type) {
        case Wire.REPLIES -> replied(message);
        case Wire.WAKE, Wire.GRANT -> signalled(type, message);
        case Wire.CHANGED -> context.changed(Wire.readResource(message));
        default -> {
          // A message of a later version that this client can do without.
        }
      }
    }

    /** The reader completes the verbs: their callers are woken by it, not by way of the lane. */
    private void replied(MessageReader message) throws MalformedMessageException {
      PendingVerbs waiting = pending;
      int first = message.getInt();
      int count = message.getCount();
      for (int i = 0; i < count; i++) {
        int index = message.getInt();
        Reply reply = Reply.read(message);
        Verb verb = waiting == null ? null : waiting.find(first + index);
        if (waiting != null && verb != null) {
          forgetWaiter(verb, reply);
          waiting.complete(verb, reply);
        }
      }
    }

    /** A ticket that does not wait needs no wake. After a lost reply it may still wait. */
    private void forgetWaiter(Verb verb, Reply reply) {
      boolean ends =
          (reply instanceof Reply.OfAttempt of && !(of.standing() instanceof Standing.Waiting))
              || (reply instanceof Reply.Failed failed
                  && failed.failure() instanceof EngineException.Refused);
      if (verb instanceof Verb.Attempt && ends) {
        context.waiters().remove(verb.ticket().id());
      }
    }

    private void signalled(byte type, MessageReader message) throws MalformedMessageException {
      Armed<Object> armed = context.waiters().find(message.getLong());
      long attempt = message.getLong();
      if (armed == null) {
        return;
      }
      if (type == Wire.GRANT && armed.attempt() == attempt) {
        context.waiters().remove(armed.ticket().id());
        armed.wake().granted(Reply.readGranted(message));
      } else {
        armed.wake().wake();
      }
    }

    /** Wakes of this connection are lost with it, so its waiters ask again. */
    @Override
    public void lost() {
      isLost = true;
      PendingVerbs waiting = pending;
      if (waiting != null) {
        waiting.goOn();
      }
      if (!context.isClosed()) {
        context.waiters().wake(this);
      }
    }
  }
}
