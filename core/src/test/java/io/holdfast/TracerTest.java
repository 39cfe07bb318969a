package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.HoldfastListener.Why;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a tracer hears of an acquire, and that it cannot harm one; tags and kinds of events. */
@Timeout(60)
class TracerTest {

  private static final Duration WAIT = Duration.ofSeconds(5);

  private final TestWorld world = new TestWorld().drive();
  private final ScriptedEngine engine = ScriptedEngine.on(world);
  private final List<String> heard = new ArrayList<>();
  private final List<AcquireTracer.Acquire> begun = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  private final AcquireTracer tracer =
      acquire -> {
        begun.add(acquire);
        threads.add(Thread.currentThread());
        return new AcquireTracer.Span() {
          @Override
          public void acquired(long token, boolean handedOver) {
            heard.add(acquire.name() + " " + token + " " + handedOver);
          }

          @Override
          public void notAcquired(Why why) {
            heard.add(acquire.name() + " " + why);
          }
        };
      };

  private final Holdfast holdfast = open(HoldfastOptions.DEFAULTS.withTracer(tracer));
  private final Holdfast rival = Holdfast.open(engine.rival(), HoldfastOptions.DEFAULTS, world);

  private Holdfast open(HoldfastOptions options) {
    return Holdfast.open(engine, options, world);
  }

  @Test
  void theBeginningHasNameTagKindAndWaitOnTheCallersThread() throws Exception {
    Hold hold = holdfast.lock("orders/{}", 42).acquire(WAIT);
    assertThat(begun)
        .containsExactly(
            new AcquireTracer.Acquire(
                "default", "orders/42", "orders/{}", Kind.MUTEX, Optional.of(WAIT), "memory:"));
    assertThat(threads).containsExactly(Thread.currentThread());
    assertThat(heard).containsExactly("orders/42 " + hold.token() + " false");
  }

  @Test
  void everyAcquireEndsOnce() throws Exception {
    Hold rivals = rival.lock("a").acquire();
    assertThat(holdfast.lock("a").tryAcquire()).isEmpty();
    assertThat(holdfast.lock("a").tryAcquire(WAIT)).isEmpty();
    holdfast.lock("a").acquireAsync(WAIT).cancel(true);
    var tried = holdfast.lock("a").tryAcquireAsync(WAIT);
    world.advance(WAIT);
    assertThat(tried).isCompletedWithValue(Optional.empty());
    rivals.release();
    Hold hold = holdfast.lock("a").acquire();
    holdfast.drain(Duration.ZERO);
    assertThatThrownBy(() -> holdfast.lock("a").acquire())
        .isInstanceOf(HoldfastClosedException.class);
    assertThat(heard)
        .containsExactly(
            "a BUSY",
            "a BUSY",
            "a CANCELLED",
            "a BUSY",
            "a " + hold.token() + " false",
            "a CLOSED");
    assertThat(begun.get(0).waitFor()).contains(Duration.ZERO);
    assertThat(begun.get(4).waitFor()).isEmpty();
  }

  @Test
  void aDowngradeIsNoAcquire() throws Exception {
    DistributedReadWriteLock sides = holdfast.readWriteLock("rw/{}", 1);
    Hold reader = sides.downgrade(sides.writeLock().acquire(WAIT));
    assertThat(heard).containsExactly("rw/1 " + reader.token() + " false");
  }

  @Test
  void aTracerThatFailsHarmsNoAcquire() throws Exception {
    for (AcquireTracer broken :
        List.<AcquireTracer>of(
            acquire -> {
              throw new IllegalStateException("begin");
            },
            acquire -> null,
            acquire ->
                new AcquireTracer.Span() {
                  @Override
                  public void acquired(long token, boolean handedOver) {
                    throw new AssertionError("acquired");
                  }

                  @Override
                  public void notAcquired(Why why) {
                    throw new IllegalStateException("notAcquired");
                  }
                })) {
      Holdfast traced = open(HoldfastOptions.DEFAULTS.withTracer(broken));
      Hold hold = traced.lock("b").acquire(WAIT);
      assertThat(traced.lock("b").tryAcquire()).isEmpty();
      assertThat(hold.release()).isEqualTo(Outcome.RELEASED);
    }
    assertThat(engine.lines()).isEmpty();
  }

  @Test
  void everyPrimitiveHasItsTemplateAsTagAndItsKind() throws Exception {
    List<HoldfastListener.Event> events = new ArrayList<>();
    Holdfast all = open(HoldfastOptions.DEFAULTS.withListener(events::add));
    all.lock("m/{}", 1).acquire(WAIT);
    all.readWriteLock("rw/{}", 1).readLock().acquire(WAIT);
    all.readWriteLock("rw/{}", 2).writeLock().acquire(WAIT);
    all.semaphore("s/{}/{}", 3, "x", "y").permits(2).acquire(WAIT);
    all.once("o/{}", Duration.ofHours(1), "report").run(WAIT, hold -> {});
    Election.Candidacy candidacy = all.election("e/{}", "eu").stand(leadership -> {});
    world.runCallbacks();
    all.tagged("stock/{}").multiLock("stock/1", "stock/2").acquire(WAIT);
    all.tagged("t").with(o -> o.withText("x")).lock("u").acquire(WAIT);
    assertThat(candidacy.leadership().orElseThrow().name()).isEqualTo("e/eu");
    assertThat(events)
        .filteredOn(HoldfastListener.Acquired.class::isInstance)
        .extracting(event -> event.tag() + " " + event.kind())
        .containsExactly(
            "m/{} MUTEX",
            "rw/{} READ",
            "rw/{} WRITE",
            "s/{}/{} SEMAPHORE",
            "o/{} ONCE",
            "e/{} ELECTION",
            "stock/{} MUTEX",
            "stock/{} MUTEX",
            "t MUTEX");
    assertThat(new HoldfastListener.LaneReplaced("untagged", "lane").kind()).isEqualTo(Kind.CLIENT);
    assertThatThrownBy(() -> all.tagged(" ")).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDowngradedHoldIsReportedAsAReader() throws Exception {
    List<HoldfastListener.Event> events = new ArrayList<>();
    Holdfast all = open(HoldfastOptions.DEFAULTS.withListener(events::add));
    DistributedReadWriteLock sides = all.readWriteLock("rw");
    sides.downgrade(sides.writeLock().acquire(WAIT)).release();
    assertThat(events)
        .extracting(HoldfastListener.Event::kind)
        .containsExactly(Kind.WRITE, Kind.WRITE, Kind.READ, Kind.READ);
  }
}
