package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.EngineInspector.TicketView.State;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Left;
import io.holdfast.spi.Order;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What operators see and do. */
class MemoryInspectorTest {

  private static final Shape FIFO = Shape.mutex(Order.FIFO);

  private final Scene scene = new Scene();
  private final EngineInspector inspector = scene.engine.inspector().orElseThrow();

  @Test
  void aLineIsShownWithHoldersAndWaitersInItsOrder() throws Exception {
    Ticket holder = scene.ticket(FIFO);
    Ticket waiter = scene.ticket(FIFO);
    long token = scene.granted(holder);
    scene.passMillis(10_000);
    scene.waiting(waiter);
    scene.passMillis(1_000);
    LineView line = inspector.show(Scene.DOOR).orElseThrow();
    assertThat(line.resource()).isEqualTo(Scene.DOOR);
    assertThat(line.shape()).isEqualTo(FIFO);
    assertThat(line.marked()).isEmpty();
    assertThat(line.tickets())
        .containsExactly(
            new TicketView(
                State.HOLDING,
                holder.owner(),
                token,
                1,
                Duration.ofSeconds(11),
                Duration.ofSeconds(19)),
            new TicketView(
                State.WAITING,
                waiter.owner(),
                0,
                1,
                Duration.ofSeconds(1),
                Duration.ofSeconds(29)));
  }

  @Test
  void theDeadAreNotShown() throws Exception {
    scene.granted(scene.ticket(FIFO));
    scene.pass(Scene.LEASE);
    assertThat(inspector.show(Scene.DOOR)).isEmpty();
    assertThat(scene.isClean()).isTrue();
  }

  @Test
  void aMarkIsShownWithItsTimeLeft() throws Exception {
    Ticket runner = scene.ticket(Shape.once());
    scene.granted(runner);
    scene.engine.settle(runner, Duration.ofHours(1));
    assertThat(inspector.show(Scene.DOOR).orElseThrow().marked()).hasValue(Duration.ofHours(1));
  }

  @Test
  void pagesGoThroughOneNamespaceInTheOrderOfTheNamesBytes() throws Exception {
    List<String> names = List.of("a", "a/b", "ä", "z", "\uff5e", "🔒", "a/", "A", "🔑");
    for (String name : names) {
      scene.granted(scene.ticket(new Resource("shop", name), FIFO, 1));
      scene.granted(scene.ticket(new Resource("other", name), FIFO, 1));
    }
    List<String> sorted = new ArrayList<>(names);
    sorted.sort((a, b) -> Arrays.compareUnsigned(utf8(a), utf8(b)));
    List<String> listed = new ArrayList<>();
    String after = "";
    List<String> page;
    do {
      page = names(inspector.list("shop", "", after, 2));
      listed.addAll(page);
      after = page.isEmpty() ? after : page.get(page.size() - 1);
    } while (!page.isEmpty());
    assertThat(listed).isEqualTo(sorted);
    assertThat(names(inspector.list("shop", "a", "", 10))).containsExactly("a", "a/", "a/b");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> names(List<LineView> page) {
    return page.stream().map(line -> line.resource().name()).toList();
  }

  @Test
  void aPageIsFullEvenIfSomeLinesTurnOutToBeOver() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      scene.granted(scene.ticket(new Resource("default", name), FIFO, 1));
    }
    scene.passMillis(15_000);
    for (String name : List.of("d", "e")) {
      scene.granted(scene.ticket(new Resource("default", name), FIFO, 1));
    }
    scene.passMillis(15_000);
    assertThat(names(inspector.list("default", "", "", 2))).containsExactly("d", "e");
  }

  @Test
  void pagesHaveBounds() {
    assertThatThrownBy(() -> inspector.list("default", "", "", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("limit=0");
    assertThatThrownBy(() -> inspector.list("default", "", "", 1001))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aRevokedHolderLearnsTheReasonAndStaysUntilItLeaves(Order order) throws Exception {
    Ticket holder = scene.ticket(Shape.mutex(order));
    Ticket waiter = scene.ticket(Shape.mutex(order));
    long token = scene.granted(holder);
    scene.waiting(waiter);
    assertThat(inspector.revoke(Scene.DOOR, token, "maintenance")).isEqualTo(Verdict.DONE);
    assertThat(scene.woken).isEmpty();
    assertThat(scene.renew(holder))
        .isEqualTo(new Renewal.Gone(Renewal.Cause.REVOKED, "maintenance"));
    assertThat(inspector.show(Scene.DOOR).orElseThrow().tickets().get(0).state())
        .isEqualTo(State.REVOKED);
    scene.waiting(waiter);
    assertThat(scene.leave(holder)).isEqualTo(Left.HOLDING);
    assertThat(scene.woken).isEqualTo(Scene.numbers(waiter));
    scene.granted(waiter);
  }

  @Test
  void aRevokedHolderCannotProlongItsLease() throws Exception {
    Ticket holder = scene.ticket(FIFO);
    inspector.revoke(Scene.DOOR, scene.granted(holder), "line\nbreak");
    scene.pass(Scene.LEASE.minusNanos(1));
    scene.renew(holder);
    assertThatThrownBy(() -> scene.attempt(holder))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("line\\u000abreak")
        .hasMessageContaining("\"door\" at memory:");
    scene.pass(Duration.ofNanos(1));
    scene.granted(scene.ticket(FIFO));
  }

  @ParameterizedTest
  @EnumSource
  void anEvictedHolderIsOutAtOnceAndLearnsTheReason(Order order) throws Exception {
    Ticket holder = scene.ticket(Shape.mutex(order));
    Ticket waiter = scene.ticket(Shape.mutex(order));
    long token = scene.granted(holder);
    scene.waiting(waiter);
    assertThat(inspector.evict(Scene.DOOR, token, "stuck")).isEqualTo(Verdict.DONE);
    assertThat(scene.woken).isEqualTo(Scene.numbers(waiter));
    assertThat(scene.granted(waiter)).isGreaterThan(token);
    Renewal gone = new Renewal.Gone(Renewal.Cause.REVOKED, "stuck");
    assertThat(scene.renew(holder)).isEqualTo(gone);
    assertThatThrownBy(() -> scene.attempt(holder))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("stuck");
    scene.leave(waiter);
    assertThat(scene.renew(holder)).isEqualTo(gone);
    assertThat(scene.leave(holder)).isEqualTo(Left.NOTHING);
  }

  @Test
  void anEvictionIsRememberedForOneLeaseOnly() throws Exception {
    Ticket holder = scene.ticket(FIFO);
    inspector.evict(Scene.DOOR, scene.granted(holder), "stuck");
    scene.pass(Scene.LEASE);
    assertThat(scene.renew(holder)).isEqualTo(new Renewal.Gone(Renewal.Cause.UNKNOWN_TICKET, ""));
    assertThat(scene.isClean()).isTrue();
  }

  @Test
  void aHandedOverTokenNamesTheGrantToo() throws Exception {
    long token = scene.granted(scene.ticket(FIFO));
    assertThat(inspector.revoke(Scene.DOOR, Token.handedOver(token, 17), "why"))
        .isEqualTo(Verdict.DONE);
  }

  @Test
  void aTokenThatIsNotInChangesNothing() throws Exception {
    Ticket before = scene.ticket(FIFO);
    long old = scene.granted(before);
    scene.leave(before);
    assertThat(inspector.evict(Scene.DOOR, old, "why")).isEqualTo(Verdict.NOT_CURRENT);
    Ticket holder = scene.ticket(FIFO);
    scene.granted(holder);
    assertThat(inspector.evict(Scene.DOOR, old, "why")).isEqualTo(Verdict.NOT_CURRENT);
    assertThat(inspector.revoke(Scene.DOOR, old, "why")).isEqualTo(Verdict.NOT_CURRENT);
    assertThat(scene.renew(holder)).isInstanceOf(Renewal.Renewed.class);
  }

  @Test
  void aReasonMustBeGiven() throws EngineException {
    long token = scene.granted(scene.ticket(FIFO));
    assertThatThrownBy(() -> inspector.revoke(Scene.DOOR, token, " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reason");
  }
}
