package io.holdfast.etcd.verbs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.etcd.Engines;
import io.holdfast.rig.servers.EtcdServer;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.Left;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The capacity of a semaphore is lost while tickets are in line: a leader that was paused revokes
 * its lease, or a hand deletes it.
 */
class LostCapacityIT {

  private static EtcdServer server;
  private static LockEngine engine;
  private static LockEngine other;
  private static long tickets;

  /** How it is lost. */
  enum Way {
    DELETED,
    LEASE_REVOKED;

    void lose(Resource name) {
      assertThat(server.keys(head(name))).hasSize(1);
      if (this == DELETED) {
        server.delete(head(name));
      } else {
        server.endLeaseOf(head(name));
      }
      assertThat(server.keys(head(name))).isEmpty();
    }
  }

  @BeforeAll
  static void start() {
    server = EtcdServer.start();
    engine = Engines.open(server.uri());
    other = Engines.open(server.uri());
  }

  @AfterAll
  static void stop() {
    other.close();
    engine.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("who asks next is in with the same number of permits, and not one more gets in")
  void nextOneWritesIt(Way way) throws Exception {
    Resource name = new Resource("default", "next-" + way);
    Ticket first = ticket(name, 2, 1);
    assertThat(attempt(engine, first)).isInstanceOf(Standing.Granted.class);
    way.lose(name);

    Ticket second = ticket(name, 2, 1);
    assertThat(attempt(other, second)).isInstanceOf(Standing.Granted.class);
    assertThat(attempt(other, ticket(name, 2, 1))).isInstanceOf(Standing.Waiting.class);

    assertThat(engine.renew(first)).isInstanceOf(Renewal.Renewed.class);
    assertThat(other.renew(second)).isInstanceOf(Renewal.Renewed.class);
    assertThat(permits(name)).isEqualTo("2");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a waiter gets in when a permit is returned, and not before")
  void waiterWritesIt(Way way) throws Exception {
    Resource name = new Resource("default", "waiter-" + way);
    Ticket first = ticket(name, 2, 2);
    Ticket waiter = ticket(name, 2, 1);
    Ticket behind = ticket(name, 2, 2);
    attempt(engine, first);
    attempt(other, waiter);
    attempt(other, behind);
    way.lose(name);

    assertThat(attempt(other, waiter)).isInstanceOf(Standing.Waiting.class);
    assertThat(permits(name)).isEqualTo("2");
    way.lose(name);
    assertThat(engine.leave(first, false)).isEqualTo(Left.HOLDING);
    assertThat(attempt(other, waiter)).isInstanceOf(Standing.Granted.class);
    assertThat(attempt(other, behind)).isInstanceOf(Standing.Waiting.class);
    assertThat(other.leave(waiter, false)).isEqualTo(Left.HOLDING);
    assertThat(attempt(other, behind)).isInstanceOf(Standing.Granted.class);
    assertThat(other.leave(behind, false)).isEqualTo(Left.HOLDING);
    assertThat(server.keys(line(name))).isEmpty();
  }

  @Test
  @DisplayName("a client that adopts the capacity finds it, with tickets that it may wait behind")
  void adopted() throws Exception {
    Resource name = new Resource("default", "adopted");
    attempt(engine, ticket(name, 3, 1));
    Ticket waiter = ticket(name, 3, 3);
    attempt(engine, waiter);
    Way.DELETED.lose(name);

    Ticket adopting = ticket(name, Shape.ADOPT, 3);
    assertThat(attempt(other, adopting)).isInstanceOf(Standing.Waiting.class);
    Way.DELETED.lose(name);
    assertThat(attempt(other, adopting)).isInstanceOf(Standing.Waiting.class);
    assertThat(permits(name)).isEqualTo("3");
  }

  @Test
  @DisplayName("the holder writes it with its next renewal, though nobody asks")
  void holderWritesIt() throws Exception {
    Resource name = new Resource("default", "holder");
    Ticket holder = ticket(name, 2, 1);
    attempt(engine, holder);
    Way.LEASE_REVOKED.lose(name);
    assertThat(engine.renew(holder)).isInstanceOf(Renewal.Renewed.class);
    assertThat(permits(name)).isEqualTo("2");
  }

  @Test
  @DisplayName("refusals state the number of permits that the tickets were granted of")
  void refusals() throws Exception {
    Resource name = new Resource("default", "refusals");
    attempt(engine, ticket(name, 3, 1));
    Way.DELETED.lose(name);

    assertThatThrownBy(() -> attempt(other, ticket(name, 2, 1)))
        .isInstanceOf(EngineException.Refused.class)
        .hasMessageContaining(
            "is in use as a semaphore of 3, and was asked for as a semaphore of 2");
    assertThatThrownBy(() -> attempt(other, ticket(name, Shape.mutex(Order.FIFO), 1)))
        .isInstanceOf(EngineException.Refused.class)
        .hasMessageContaining("is in use as a semaphore of 3");
    assertThatThrownBy(() -> attempt(other, ticket(name, Shape.ADOPT, 4)))
        .isInstanceOf(EngineException.Refused.class)
        .hasMessageContaining("has a capacity of 3");
    assertThat(shown(name).shape()).isEqualTo(Shape.semaphore(3));
  }

  @Test
  @DisplayName("a new size is not forgotten once a holder has been renewed, and tokens still rise")
  void resized() throws Exception {
    Resource name = new Resource("default", "resized");
    Ticket all = ticket(name, 3, 3);
    Ticket ahead = ticket(name, 3, 2);
    Ticket behind = ticket(name, 3, 1);
    attempt(engine, all);
    attempt(engine, ahead);
    attempt(engine, behind);
    engine.leave(all, false);
    Standing.Granted before = (Standing.Granted) attempt(engine, behind);
    assertThat(engine.resize(ticket(name, 2, 1))).isTrue();
    assertThat(engine.renew(behind)).isInstanceOf(Renewal.Renewed.class);
    Way.DELETED.lose(name);

    assertThat(attempt(engine, ahead)).isInstanceOf(Standing.Waiting.class);
    assertThat(permits(name)).isEqualTo("2");
    assertThat(engine.leave(behind, false)).isEqualTo(Left.HOLDING);
    Standing.Granted after = (Standing.Granted) attempt(engine, ahead);
    assertThat(after.token()).isGreaterThan(before.token());
    assertThat(((Standing.Granted) attempt(engine, ahead)).token()).isEqualTo(after.token());
  }

  @Test
  @DisplayName("a size that was raised holds for those that come later")
  void raised() throws Exception {
    Resource name = new Resource("default", "raised");
    Ticket early = ticket(name, 1, 1);
    attempt(engine, early);
    assertThat(engine.resize(ticket(name, 3, 1))).isTrue();
    assertThat(attempt(engine, ticket(name, 3, 1))).isInstanceOf(Standing.Granted.class);
    Way.DELETED.lose(name);
    assertThat(attempt(other, ticket(name, 3, 1))).isInstanceOf(Standing.Granted.class);
    assertThat(permits(name)).isEqualTo("3");
  }

  @Test
  @DisplayName("a resize without a capacity writes one that ends with its line")
  void resizedAfterwards() throws Exception {
    Resource name = new Resource("default", "resized-afterwards");
    Ticket holder = ticket(name, 2, 1);
    attempt(engine, holder);
    Way.DELETED.lose(name);
    assertThat(engine.resize(ticket(name, 4, 1))).isTrue();
    attempt(engine, ticket(name, 4, 1));
    attempt(engine, ticket(name, 4, 1));
    Way.LEASE_REVOKED.lose(name);
    assertThat(engine.renew(holder)).isInstanceOf(Renewal.Renewed.class);
    assertThat(permits(name)).isEqualTo("4");
  }

  @Test
  @DisplayName("where no ticket states it, nobody is refused and nobody gets in")
  void unknown() throws Exception {
    Resource name = new Resource("default", "unknown");
    server.post(
        "kv/put",
        "{\"key\":\"%s\",\"value\":\"%s\"}"
            .formatted(base64(line(name) + "by-hand"), base64("not a ticket")));

    for (int permits : List.of(1, 2, Shape.ADOPT)) {
      assertThatThrownBy(() -> attempt(engine, ticket(name, permits, 1)))
          .isInstanceOfAny(EngineException.NotDone.class, EngineException.Unknown.class)
          .hasMessageContaining("capacity");
    }
    assertThat(server.keys(line(name))).as("nobody has joined").hasSize(1);
    assertThat(engine.resize(ticket(name, 2, 1))).isTrue();
    assertThat(attempt(engine, ticket(name, 2, 1))).isInstanceOf(Standing.Granted.class);
    assertThat(attempt(engine, ticket(name, 2, 1))).isInstanceOf(Standing.Waiting.class);
  }

  private static LineView shown(Resource name) throws EngineException {
    EngineInspector inspector = engine.inspector().orElseThrow();
    return inspector.show(name).orElseThrow();
  }

  /** The value of the capacity. */
  private static String permits(Resource name) {
    String found = server.post("kv/range", "{\"key\":\"%s\"}".formatted(base64(head(name))));
    Matcher value = Pattern.compile("\"value\":\"([^\"]*)\"").matcher(found);
    assertThat(value.find()).as(found).isTrue();
    return new String(Base64.getDecoder().decode(value.group(1)), UTF_8);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String head(Resource name) {
    return "holdfast/line/default/" + name.name() + "\0s!";
  }

  private static String line(Resource name) {
    return "holdfast/line/default/" + name.name() + "\0s/";
  }

  private static Standing attempt(LockEngine by, Ticket ticket) throws EngineException {
    return by.attempt(ticket, () -> {});
  }

  private static Ticket ticket(Resource name, int permits, int weight) {
    return ticket(name, Shape.semaphore(permits), weight);
  }

  private static Ticket ticket(Resource name, Shape shape, int weight) {
    return new Ticket(
        new Ticket.Id(1, 2, ++tickets),
        name,
        shape,
        weight,
        Duration.ofSeconds(30),
        0,
        true,
        new Owner("", "here", 1, "test", ""));
  }
}
