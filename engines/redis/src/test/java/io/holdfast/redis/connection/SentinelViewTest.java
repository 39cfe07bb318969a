package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.RedisOptions;
import io.holdfast.redis.RedisOptions.Server;
import io.holdfast.redis.connection.SentinelView.SentinelReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("What the view of a sentinel makes of its events")
@Timeout(60)
class SentinelViewTest {

  /** A port on which nobody listens: questions fail at once. */
  private static final Server NOBODY = new Server("127.0.0.1", 1);

  private static final SentinelReport OLD = new SentinelReport(new Server("a", 1), 7, false, false);
  private static final SentinelReport NEW = new SentinelReport(new Server("b", 2), 8, false, false);

  /** Whether it was failing over, at each time that it reported a change. */
  private final List<Boolean> changes = new ArrayList<>();

  /** Of the view's clock. */
  private long now = System.nanoTime();

  private final SentinelView view =
      new SentinelView(
          NOBODY,
          "main",
          ConnectionFactory.of(
              RedisOptions.of("redis-sentinel://127.0.0.1:1/main"),
              RedisOptions.of("redis-sentinel://127.0.0.1:1/main").sentinelLogin(),
              0,
              new ServerCheck(false)),
          Duration.ofSeconds(2),
          this::changed,
          () -> now);

  private void changed() {
    changes.add(view.isFailingOver(0));
  }

  private void said(SentinelReport report) {
    view.replied(view.nextNumber(), report);
  }

  @AfterEach
  void close() {
    view.close();
  }

  @Test
  @DisplayName("an event of the master casts doubt before the sentinel is asked")
  void doubtFirst() {
    said(OLD);
    announce();
    // Then it was asked, in vain: it names no master, but what it announced may go on.
    assertThat(changes).containsExactly(true, true);
    assertThat(view.named()).isNull();
    assertThat(view.isSilent()).isTrue();
  }

  private void announce() {
    view.message("+failover-state-send-slaveof-noone", "master main 127.0.0.1 6379");
  }

  @Test
  @DisplayName("an announcement is in doubt until a reply, however many questions fail")
  void unanswered() {
    said(OLD);
    announce();
    view.replied(view.nextNumber(), null);
    view.lost(SentinelView.EVENTS.get(0));
    assertThat(view.isFailingOver(OLD.rank())).isTrue();
    said(OLD);
    assertThat(view.isFailingOver(OLD.rank())).isFalse();
  }

  @Test
  @DisplayName("an announcement without a reply ends when another sentinel has a newer report")
  void answeredElsewhere() {
    said(OLD);
    announce();
    assertThat(view.isFailingOver(OLD.rank())).isTrue();
    assertThat(view.isFailingOver(NEW.rank())).isFalse();
  }

  @Test
  @DisplayName("an announcement without a reply ends after a while, counted from the last event")
  void bounded() {
    said(OLD);
    announce();
    now += SentinelView.DOUBT_NANOS - 1;
    assertThat(view.isFailingOver(OLD.rank())).isTrue();
    announce();
    now += SentinelView.DOUBT_NANOS - 1;
    assertThat(view.isFailingOver(OLD.rank())).isTrue();
    now++;
    assertThat(view.isFailingOver(OLD.rank())).isFalse();
  }

  @Test
  @DisplayName("an announcement of a sentinel that never replied stops everybody for a while")
  void unknown() {
    announce();
    assertThat(view.isFailingOver(NEW.rank())).isTrue();
    now += SentinelView.DOUBT_NANOS;
    assertThat(view.isFailingOver(NEW.rank())).isFalse();
  }

  @Test
  @DisplayName("an event of another master changes nothing, also if its name begins the same")
  void otherMaster() {
    said(OLD);
    view.message("+switch-master", "main2 127.0.0.1 6379 127.0.0.1 6380");
    view.message("+failover-state-reconf-slaves", "master other 127.0.0.1 6379");
    assertThat(changes).isEmpty();
    assertThat(view.named()).isEqualTo(OLD);
  }

  @Test
  @DisplayName("the reply to a question from before an event does not clear the doubt")
  void replyCrossesEvent() {
    long before = view.nextNumber();
    view.doubt();
    view.replied(before, OLD);
    assertThat(view.named()).isEqualTo(OLD);
    assertThat(view.isFailingOver(0)).isTrue();

    said(NEW);
    assertThat(view.isFailingOver(0)).isFalse();
  }

  @Test
  @DisplayName("a reply that was overtaken by a later one is ignored, also one that failed")
  void overtaken() {
    long slow = view.nextNumber();
    long hung = view.nextNumber();
    said(NEW);
    view.replied(slow, OLD);
    assertThat(view.named()).isEqualTo(NEW);
    view.replied(hung, null);
    assertThat(view.named()).isEqualTo(NEW);
    assertThat(view.isSilent()).isFalse();
  }

  @Test
  @DisplayName("a doubtful sentinel with an outdated configuration stops nobody")
  void outdated() {
    said(OLD);
    view.doubt();
    assertThat(view.isFailingOver(OLD.rank())).isTrue();
    assertThat(view.isFailingOver(NEW.rank())).isFalse();
  }

  @Test
  @DisplayName("a report of a failover counts until the replica is promoted")
  void promotion() {
    said(new SentinelReport(new Server("a", 1), 7, true, false));
    assertThat(view.isFailingOver(0)).isTrue();
    SentinelReport promoted = new SentinelReport(new Server("b", 2), 7, true, true);
    said(promoted);
    assertThat(view.isFailingOver(0)).isFalse();
    assertThat(promoted.rank()).isBetween(OLD.rank() + 1, NEW.rank() - 1);
  }

  @Test
  @DisplayName("it is asked once all events are listened to, and again only after all of them are")
  void armed() {
    for (int round = 1; round <= 2; round++) {
      for (String event : SentinelView.EVENTS.subList(1, SentinelView.EVENTS.size())) {
        view.armed(event);
      }
      assertThat(changes).hasSize(round - 1);
      view.armed(SentinelView.EVENTS.get(0));
      assertThat(changes).hasSize(round);
    }
  }

  @Test
  @DisplayName("a sentinel whose connection is lost neither names a master nor stops anybody")
  void lost() {
    said(OLD);
    view.lost(SentinelView.EVENTS.get(0));
    assertThat(view.named()).isNull();
    assertThat(view.isFailingOver(0)).isFalse();
    assertThat(changes).containsExactly(false);
  }

  @Test
  @DisplayName("a failover that was reported before the connection was lost stays in doubt")
  void lostInFailover() {
    said(new SentinelReport(new Server("a", 1), 7, true, false));
    now += 2 * SentinelView.DOUBT_NANOS;
    view.lost(SentinelView.EVENTS.get(0));
    assertThat(view.named()).isNull();
    assertThat(view.isFailingOver(OLD.rank())).isTrue();
    assertThat(view.isFailingOver(NEW.rank())).isFalse();
    now += SentinelView.DOUBT_NANOS;
    assertThat(view.isFailingOver(OLD.rank())).isFalse();
  }

  @Test
  @DisplayName("a sentinel that refuses subscriptions is asked instead")
  void refused() {
    said(OLD);
    view.refused("no right");
    assertThat(changes).hasSize(1);
    assertThat(view.isSilent()).isTrue();
  }
}
