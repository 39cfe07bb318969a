package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.redis.RedisOptions.Server;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Nodes that hang, and the thread that asks them")
@Timeout(60)
class HungNodesTest {

  private static final Duration SILENCE = Duration.ofMillis(300);
  private static final Server ONE = new Server("one", 1);
  private static final Server TWO = new Server("two", 2);

  private final AtomicLong clock = new AtomicLong(Duration.ofSeconds(1).toNanos());
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private final List<Server> asked = new ArrayList<>();
  private Predicate<Server> replies = node -> true;

  /** Threads do not start by themselves: the test runs their bodies. */
  private final HungNodes hung =
      new HungNodes(SILENCE, clock::get, this::thread, node -> replies(node));

  private boolean replies(Server node) {
    asked.add(node);
    return replies.test(node);
  }

  private Thread thread(Runnable body) {
    threads.add(body);
    return new Thread(() -> {});
  }

  private void silent(Server node) {
    hung.addIfSilentSince(node, clock.get() - SILENCE.toNanos() - 1);
  }

  @Test
  @DisplayName("a node hangs from the given silence on, and says for how long")
  void silence() {
    hung.addIfSilentSince(ONE, clock.get() - SILENCE.toNanos());
    assertThat(hung.contains(ONE)).isFalse();
    assertThat(hung.why(ONE)).isNull();

    silent(ONE);
    clock.addAndGet(Duration.ofMillis(700).toNanos());
    assertThat(hung.contains(ONE)).isTrue();
    assertThat(hung.why(ONE)).hasMessageContaining("one:1 has not replied for 1000 ms");
  }

  @Test
  @DisplayName("one thread asks all of them until they reply, and then ends")
  void oneThread() {
    silent(ONE);
    silent(TWO);
    silent(ONE);
    assertThat(threads).hasSize(1);
    Set<Server> slow = new HashSet<>(Set.of(TWO));
    replies = node -> !slow.remove(node);

    threads.remove().run();
    assertThat(asked).containsExactlyInAnyOrder(ONE, TWO, TWO);
    assertThat(hung.contains(ONE) || hung.contains(TWO)).isFalse();
  }

  @Test
  @DisplayName("a node that begins to hang while the last one replies is asked by the same thread")
  void addedMeanwhile() {
    silent(ONE);
    replies =
        node -> {
          if (node.equals(ONE)) {
            // The thread is about to find nothing left to do.
            silent(TWO);
          }
          return true;
        };
    threads.remove().run();
    assertThat(threads).isEmpty();
    assertThat(asked).contains(ONE, TWO);
    assertThat(hung.contains(TWO)).isFalse();
  }

  @Test
  @DisplayName("a node that begins to hang after the thread has ended gets another one")
  void addedAfterwards() {
    silent(ONE);
    threads.remove().run();
    silent(TWO);
    assertThat(threads).hasSize(1);
    threads.remove().run();
    assertThat(hung.contains(TWO)).isFalse();
  }

  @Test
  @DisplayName("a lane that received a reply meanwhile removes the node, and the thread ends")
  void repliedToALane() {
    silent(ONE);
    hung.remove(ONE);
    threads.remove().run();
    assertThat(asked).isEmpty();
    silent(ONE);
    assertThat(threads).as("the next one").hasSize(1);
  }

  @Test
  @DisplayName("a failure with one node ends neither the thread nor the questions to it")
  void failure() {
    silent(ONE);
    silent(TWO);
    List<Server> failed = new ArrayList<>();
    replies =
        node -> {
          if (node.equals(ONE) && failed.isEmpty()) {
            failed.add(node);
            throw new IllegalStateException("planted");
          }
          return true;
        };
    threads.remove().run();
    assertThat(failed).containsExactly(ONE);
    assertThat(hung.contains(ONE) || hung.contains(TWO)).isFalse();
  }

  @Test
  @DisplayName("without a thread to be had, the next lane asks the node itself")
  void noThread() {
    HungNodes poor =
        new HungNodes(
            SILENCE,
            clock::get,
            body -> {
              throw new OutOfMemoryError("planted");
            },
            node -> true);
    poor.addIfSilentSince(ONE, 0);
    assertThat(poor.contains(ONE)).isFalse();
    poor.close();
  }

  @Test
  @DisplayName("nothing is asked after it was closed")
  void closed() {
    silent(ONE);
    hung.close();
    threads.remove().run();
    silent(TWO);
    assertThat(threads).isEmpty();
    assertThat(asked).isEmpty();
  }
}
