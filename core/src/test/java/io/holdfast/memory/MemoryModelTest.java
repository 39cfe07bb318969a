package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.EngineException.Refused;
import io.holdfast.spi.Line;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random sequences on a FIFO line, each step compared with the plain rule. */
class MemoryModelTest {

  private static final int STORIES = 1_000;
  private static final int STEPS = 60;

  /** The line as the rule sees it: tickets in the order of their joins. */
  private static final class Story {
    final Scene scene = new Scene();
    final Random random;
    final boolean resizes;
    final List<Ticket> line = new ArrayList<>();
    final Map<Ticket.Id, Long> heard = new HashMap<>();
    final Set<Ticket.Id> granted = new HashSet<>();
    Shape shape;
    long highest;

    Story(long seed, boolean resizes) {
      this.random = new Random(seed);
      this.resizes = resizes;
      this.shape = Shape.semaphore(1 + random.nextInt(4));
    }

    void step() throws Exception {
      forgetTheDead();
      scene.woken.clear();
      Set<Long> before = waitersWithRoom();
      int choice = random.nextInt(resizes ? 11 : 10);
      if (line.isEmpty() || choice < 3) {
        ask(scene.ticket(shape, 1 + random.nextInt(shape.capacity())));
      } else if (choice < 6) {
        ask(anyone());
      } else if (choice < 8) {
        leave(anyone());
      } else if (choice < 9) {
        shrink(anyone());
      } else if (choice < 10) {
        scene.passMillis(random.nextInt(12_000));
        return;
      } else {
        resize();
        return;
      }
      wokenAreThoseWhoGotRoom(before);
    }

    private Ticket anyone() {
      return line.get(random.nextInt(line.size()));
    }

    private void forgetTheDead() {
      line.removeIf(t -> scene.now() - heard.get(t.id()) >= Scene.LEASE.toNanos());
      granted.removeIf(id -> line.stream().noneMatch(t -> t.id().equals(id)));
    }

    /** By the plain sum: all holders, all waiters ahead, and itself. */
    private boolean isIn(Ticket ticket) {
      if (granted.contains(ticket.id())) {
        return true;
      }
      int taken = 0;
      int index = line.indexOf(ticket);
      for (int i = 0; i < line.size(); i++) {
        if (i <= index || granted.contains(line.get(i).id())) {
          taken += line.get(i).weight();
        }
      }
      boolean in = taken <= shape.capacity();
      if (!resizes) {
        List<Integer> weights = line.stream().map(Ticket::weight).toList();
        assertThat(in).isEqualTo(Line.isIn(shape.capacity(), weights, index));
      }
      return in;
    }

    private Set<Long> waitersWithRoom() {
      Set<Long> found = new HashSet<>();
      for (Ticket ticket : line) {
        if (!granted.contains(ticket.id()) && isIn(ticket)) {
          found.add(ticket.id().number());
        }
      }
      return found;
    }

    private void ask(Ticket ticket) throws Exception {
      if (!line.contains(ticket)) {
        line.add(ticket);
      }
      if (!granted.contains(ticket.id()) && ticket.weight() > shape.capacity()) {
        assertThatThrownBy(() -> scene.attempt(ticket)).isInstanceOf(Refused.class);
        line.remove(ticket);
        return;
      }
      heard.put(ticket.id(), scene.now());
      boolean in = isIn(ticket);
      Standing standing = scene.attempt(ticket);
      assertThat(standing).isInstanceOf(in ? Standing.Granted.class : Standing.Waiting.class);
      if (standing instanceof Standing.Granted now && granted.add(ticket.id())) {
        assertThat(now.token()).isGreaterThan(highest);
        highest = now.token();
      }
      if (standing instanceof Standing.Waiting waiting) {
        assertThat(waiting.ahead()).isBetween(line.indexOf(ticket), line.size());
        assertThat(waiting.retryAfter()).isPositive().isLessThanOrEqualTo(Scene.LEASE);
      }
    }

    private void leave(Ticket ticket) throws Exception {
      scene.leave(ticket);
      line.remove(ticket);
      granted.remove(ticket.id());
    }

    private void shrink(Ticket ticket) throws Exception {
      Ticket smaller = ticket.withWeight(1 + random.nextInt(ticket.weight()));
      line.set(line.indexOf(ticket), smaller);
      ask(smaller);
    }

    private void resize() throws Exception {
      shape = Shape.semaphore(1 + random.nextInt(4));
      assertThat(scene.engine.resize(scene.ticket(shape))).isTrue();
      assertThat(scene.woken).containsExactlyInAnyOrderElementsOf(waitersWithRoom());
    }

    /** A waiter with room was woken when it got it, unless time alone made the room. */
    private void wokenAreThoseWhoGotRoom(Set<Long> before) {
      Set<Long> after = waitersWithRoom();
      assertThat(after).containsAll(scene.woken);
      after.removeAll(before);
      assertThat(scene.woken).containsAll(after).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyStoryGoesAsTheRuleSays(boolean resizes) throws Exception {
    for (long seed = 0; seed < STORIES; seed++) {
      Story story = new Story(seed, resizes);
      for (int i = 0; i < STEPS; i++) {
        try {
          story.step();
        } catch (AssertionError e) {
          throw new AssertionError("seed " + seed + ", step " + i, e);
        }
      }
    }
  }
}
