package io.holdfast.server;

import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.wire.Hello;
import io.holdfast.spi.wire.MalformedMessageException;
import io.holdfast.spi.wire.MessageReader;
import io.holdfast.spi.wire.MessageWriter;
import io.holdfast.spi.wire.Query;
import io.holdfast.spi.wire.Reply;
import io.holdfast.spi.wire.VerbMessage;
import io.holdfast.spi.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A client of the WebSocket that sends what a test says, over the JDK's own WebSocket. */
final class WireClient implements AutoCloseable, WebSocket.Listener {

  private static final AtomicLong TICKETS = new AtomicLong();
  private static final long BOUND_SECONDS = 20;

  private final ByteArrayOutputStream parts = new ByteArrayOutputStream();
  private final Map<Integer, CompletableFuture<Reply>> replies = new ConcurrentHashMap<>();
  private final Map<Integer, CompletableFuture<MessageReader>> results = new ConcurrentHashMap<>();
  private final AtomicInteger verbs = new AtomicInteger();
  final CompletableFuture<Hello> hello = new CompletableFuture<>();
  final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final WebSocket socket;

  WireClient(LockServer server) throws Exception {
    this(server, HttpClient.newHttpClient().newWebSocketBuilder());
  }

  WireClient(LockServer server, String token) throws Exception {
    this(
        server,
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .header("Authorization", "Bearer " + token));
  }

  WireClient(LockServer server, WebSocket.Builder builder) throws Exception {
    this(server, "127.0.0.1", builder);
  }

  WireClient(LockServer server, String host, WebSocket.Builder builder) throws Exception {
    String scheme = server.address().startsWith("https") ? "wss" : "ws";
    this.socket =
        builder
            .subprotocols(Wire.SUBPROTOCOL)
            .buildAsync(URI.create(scheme + "://" + host + ":" + server.port() + Wire.PATH), this)
            .get(BOUND_SECONDS, TimeUnit.SECONDS);
    hello.get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  static Ticket ticket(String name, Duration lease) {
    return ticket(name, lease, 0);
  }

  static Ticket ticket(String name, Duration lease, int generation) {
    return new Ticket(
        new Ticket.Id(7, System.nanoTime(), TICKETS.incrementAndGet()),
        new Resource("default", name),
        Shape.mutex(Order.FIFO),
        1,
        lease,
        generation,
        true,
        new Owner("test", "host", 1, "main", ""));
  }

  static Ticket ticket(String name) {
    return ticket(name, Duration.ofSeconds(30));
  }

  Reply attempt(Ticket ticket) throws Exception {
    return call(new VerbMessage.Attempt(ticket, 0, 0));
  }

  /** Sends a verb and waits for its reply. */
  Reply call(VerbMessage verb) throws Exception {
    return send(verb).get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  /** Sends a verb. */
  CompletableFuture<Reply> send(VerbMessage verb) throws Exception {
    int number = verbs.incrementAndGet();
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    replies.put(number, reply);
    MessageWriter message = new MessageWriter(Wire.VERBS).putInt(number).putInt(1);
    verb.write(message);
    sendRaw(message.toBuffer());
    return reply;
  }

  /** Asks, and returns the result, or throws the failure. */
  MessageReader ask(Query query) throws Exception {
    int number = verbs.incrementAndGet();
    CompletableFuture<MessageReader> result = new CompletableFuture<>();
    results.put(number, result);
    MessageWriter message = new MessageWriter(Wire.QUERY).putInt(number);
    query.write(message);
    sendRaw(message.toBuffer());
    MessageReader reply = result.get(BOUND_SECONDS, TimeUnit.SECONDS);
    if (reply.get() == 'F') {
      throw Reply.readFailure(reply);
    }
    return reply;
  }

  void sendRaw(ByteBuffer message) throws Exception {
    socket.sendBinary(message, true).get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public CompletionStage<?> onBinary(WebSocket from, ByteBuffer data, boolean isLast) {
    byte[] part = new byte[data.remaining()];
    data.get(part);
    parts.writeBytes(part);
    if (isLast) {
      ByteBuffer message = ByteBuffer.wrap(parts.toByteArray());
      parts.reset();
      try {
        received(new MessageReader(message));
      } catch (MalformedMessageException e) {
        throw new IllegalStateException(e);
      }
    }
    from.request(1);
    return null;
  }

  private void received(MessageReader message) throws MalformedMessageException {
    byte type = message.get();
    if (type == Wire.HELLO) {
      hello.complete(Hello.read(message));
    } else if (type == Wire.REPLIES) {
      int first = message.getInt();
      int count = message.getCount();
      for (int i = 0; i < count; i++) {
        int number = first + message.getInt();
        replies.get(number).complete(Reply.read(message));
      }
    } else if (type == Wire.RESULT) {
      results.get(message.getInt()).complete(message);
    }
  }

  @Override
  public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
    closed.complete(code);
    return null;
  }

  @Override
  public void onError(WebSocket from, Throwable error) {
    closed.completeExceptionally(error);
  }

  /** Cuts the connection, without a word. */
  @Override
  public void close() {
    socket.abort();
  }
}
