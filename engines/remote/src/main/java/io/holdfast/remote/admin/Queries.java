package io.holdfast.remote.admin;

import io.holdfast.remote.connection.ServerConnection;
import io.holdfast.remote.connection.Servers;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Refusals;
import io.holdfast.spi.wire.Hello;
import io.holdfast.spi.wire.MalformedMessageException;
import io.holdfast.spi.wire.MessageReader;
import io.holdfast.spi.wire.MessageWriter;
import io.holdfast.spi.wire.Query;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.Wire;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Calls the inspector and the counter of the store, over a connection of their own.
 *
 * <p>Callers take turns. A query is sent once; without a reply it may have been executed.
 */
public final class Queries implements AutoCloseable {

  /** Reads the result of a query. */
  interface ResultReader<T> {
    T read(MessageReader in) throws MalformedMessageException;
  }

  private final Servers servers;
  private final ReentrantLock turn = new ReentrantLock();
  private @Nullable Session session;
  private int number;
  private volatile boolean isClosed;

  public Queries(Servers servers) {
    this.servers = servers;
  }

  <T> T call(Query query, ResultReader<T> reader) throws EngineException {
    turn.lock();
    try {
      Session open = connected();
      MessageWriter out = new MessageWriter(Wire.QUERY).putInt(++number);
      query.write(out);
      MessageReader in = open.ask(number, out);
      if (in.get() != 'K') {
        throw Reply.readFailure(in);
      }
      return reader.read(in);
    } catch (MalformedMessageException e) {
      throw new EngineException.Unknown("malformed reply from " + servers.store(), e);
    } finally {
      turn.unlock();
    }
  }

  /** Returns what a server says of itself; asks one if none has replied yet. */
  public Hello hello() throws EngineException {
    Hello known = servers.hello();
    if (known != null) {
      return known;
    }
    turn.lock();
    try {
      return connected().connection().hello();
    } finally {
      turn.unlock();
    }
  }

  private Session connected() throws EngineException {
    if (isClosed) {
      throw new Refusals(servers.store()).closed();
    }
    Session open = session;
    if (open == null || open.connection().isLost()) {
      open = new Session();
      open.connection = servers.connect(open);
      session = open;
    }
    return open;
  }

  @Override
  public void close() {
    isClosed = true;
    // Without the lock: a caller that waits for a reply holds it.
    Session open = session;
    if (open != null) {
      open.connection().close();
    }
  }

  /** One connection; asked by the caller that has the turn. */
  private final class Session implements ServerConnection.Listener {

    private volatile @Nullable ServerConnection connection;
    private volatile CompletableFuture<MessageReader> reply = new CompletableFuture<>();
    private volatile int asked;

    ServerConnection connection() {
      ServerConnection open = connection;
      if (open == null) {
        throw new IllegalStateException("not connected");
      }
      return open;
    }

    MessageReader ask(int query, MessageWriter message) throws EngineException {
      CompletableFuture<MessageReader> expected = new CompletableFuture<>();
      reply = expected;
      asked = query;
      ServerConnection open = connection();
      String why;
      try {
        open.send(message);
        if (open.isLost()) {
          expected.completeExceptionally(new IOException("the connection was lost"));
        }
        return expected.get(servers.timeout().toNanos(), TimeUnit.NANOSECONDS);
      } catch (IOException e) {
        why = "the connection was lost while sending: " + e.getMessage();
      } catch (ExecutionException e) {
        why = "the connection was lost before the reply: " + open.cause();
      } catch (TimeoutException e) {
        why = "no reply within the operation timeout";
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        why = "the caller was interrupted";
      }
      open.close();
      servers.avoid(open.server());
      throw new EngineException.Unknown("no reply from " + open.server() + ": " + why, null);
    }

    @Override
    public void received(byte type, MessageReader message) throws MalformedMessageException {
      if (type == Wire.RESULT && message.getInt() == asked) {
        reply.complete(message);
      }
    }

    @Override
    public void lost() {
      reply.completeExceptionally(new IOException("the connection was lost"));
    }
  }
}
