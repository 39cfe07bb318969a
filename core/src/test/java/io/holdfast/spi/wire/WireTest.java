package io.holdfast.spi.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Messages arrive as they were sent, and nothing that anybody sends does more than fail. */
class WireTest {

  private static final byte TYPE = 'T';
  private static final Resource RESOURCE = new Resource("orders", "stra\u00dfe/42 \ud83d\udd12");
  private static final Owner OWNER = new Owner("app", "host", 4711, "main", "a \"text\"\n");

  private static Ticket ticket(Shape shape, int weight) {
    return new Ticket(
        new Ticket.Id(Long.MIN_VALUE, -1, Long.MAX_VALUE),
        RESOURCE,
        shape,
        weight,
        Duration.ofNanos(29_999_999_999L),
        127,
        true,
        OWNER,
        true);
  }

  private static List<VerbMessage> verbs() {
    List<VerbMessage> all = new ArrayList<>();
    for (Shape shape :
        List.of(
            Shape.mutex(Order.ANY),
            Shape.mutex(Order.FIFO),
            Shape.semaphore(7),
            Shape.semaphore(Shape.ADOPT),
            Shape.readWrite(),
            Shape.once())) {
      Ticket ticket = ticket(shape, 1);
      all.add(new VerbMessage.Attempt(ticket, 17, Long.MAX_VALUE));
      all.add(new VerbMessage.Renew(ticket));
      all.add(new VerbMessage.Leave(ticket, true));
      all.add(new VerbMessage.Leave(ticket, false));
      all.add(new VerbMessage.Settle(ticket, Duration.ofDays(1)));
      all.add(new VerbMessage.Resize(ticket));
    }
    return all;
  }

  private static List<Reply> replies() {
    List<Reply> all = new ArrayList<>();
    all.add(new Reply.OfAttempt(new Standing.Granted(Long.MAX_VALUE, Duration.ofNanos(1), true)));
    all.add(new Reply.OfAttempt(new Standing.Done(Duration.ofDays(400))));
    all.add(new Reply.OfAttempt(new Standing.Waiting(3, Duration.ZERO, Optional.empty())));
    Standing.Holder holder = new Standing.Holder(OWNER, 1024, Duration.ofSeconds(3));
    all.add(
        new Reply.OfAttempt(new Standing.Waiting(0, Duration.ofMillis(5), Optional.of(holder))));
    all.add(new Reply.OfRenew(new Renewal.Renewed(Duration.ofSeconds(30), false)));
    for (Renewal.Cause cause : Renewal.Cause.values()) {
      all.add(new Reply.OfRenew(new Renewal.Gone(cause, "stuck")));
    }
    for (Left left : Left.values()) {
      all.add(new Reply.OfLeave(left));
    }
    all.add(new Reply.OfChange(true));
    all.add(new Reply.OfChange(false));
    return all;
  }

  private static MessageReader reader(MessageWriter message) throws Exception {
    MessageReader in = new MessageReader(message.toBuffer());
    in.get();
    return in;
  }

  @Test
  void verbsAndRepliesArriveAsTheyWereSent() throws Exception {
    for (VerbMessage verb : verbs()) {
      MessageWriter out = new MessageWriter(TYPE);
      verb.write(out);
      MessageReader in = reader(out);
      assertThat(VerbMessage.read(in)).isEqualTo(verb);
      assertThat(in.hasMore()).isFalse();
    }
    for (Reply reply : replies()) {
      MessageWriter out = new MessageWriter(TYPE);
      reply.write(out);
      MessageReader in = reader(out);
      assertThat(Reply.read(in)).isEqualTo(reply);
      assertThat(in.hasMore()).isFalse();
    }
  }

  @Test
  void failuresKeepTheirKind() throws Exception {
    for (EngineException failure :
        List.of(
            new EngineException.NotDone("not done", null),
            new EngineException.Unknown("unknown", null),
            new EngineException.Refused("refused"))) {
      MessageWriter out = new MessageWriter(TYPE);
      new Reply.Failed(failure).write(out);
      Reply.Failed read = (Reply.Failed) Reply.read(reader(out));
      assertThat(read.failure()).hasSameClassAs(failure).hasMessage(failure.getMessage());
    }
  }

  @Test
  void helloAndQueriesArriveAsTheyWereSent() throws Exception {
    Hello hello =
        new Hello(
            "redis://db",
            Set.of(Guarantee.FENCING, Guarantee.FIFO),
            Duration.ofSeconds(5),
            true,
            Hello.Counting.FORGETS,
            List.of("a warning"));
    assertThat(Hello.read(reader(hello.toMessage()))).isEqualTo(hello);
    for (Query query :
        List.of(
            new Query.ListLines("orders", "a", "b", 100),
            new Query.Show(RESOURCE),
            new Query.Take(RESOURCE, 1024, "stuck", true),
            new Query.Count(new Counter.Ask(RESOURCE, 10, 0, true)),
            new Query.GiveBack(RESOURCE, 5, 10))) {
      MessageWriter out = new MessageWriter(TYPE);
      query.write(out);
      assertThat(Query.read(reader(out))).isEqualTo(query);
    }
  }

  @Test
  void aMessageThatWasCutOffIsMalformed() {
    for (VerbMessage verb : verbs()) {
      MessageWriter out = new MessageWriter(TYPE);
      verb.write(out);
      byte[] whole = out.toBytes();
      for (int length = 1; length < whole.length; length++) {
        MessageReader cut = new MessageReader(ByteBuffer.wrap(whole, 1, length - 1));
        assertThatThrownBy(() -> VerbMessage.read(cut))
            .isInstanceOf(MalformedMessageException.class);
      }
    }
  }

  @Test
  void whateverIsChangedInAMessageItIsReadOrMalformed() {
    SplittableRandom random = new SplittableRandom(42);
    List<VerbMessage> verbs = verbs();
    int malformed = 0;
    for (int i = 0; i < 20_000; i++) {
      MessageWriter out = new MessageWriter(TYPE);
      verbs.get(i % verbs.size()).write(out);
      byte[] bytes = out.toBytes();
      for (int changes = random.nextInt(1, 5); changes > 0; changes--) {
        bytes[random.nextInt(1, bytes.length)] = (byte) random.nextInt();
      }
      try {
        VerbMessage.read(new MessageReader(ByteBuffer.wrap(bytes, 1, bytes.length - 1)));
      } catch (MalformedMessageException e) {
        malformed++;
      } catch (Exception e) {
        throw new AssertionError("message " + i, e);
      }
    }
    assertThat(malformed).isBetween(1_000, 19_999);
  }
}
