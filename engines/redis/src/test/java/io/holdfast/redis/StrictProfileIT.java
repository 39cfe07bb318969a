package io.holdfast.redis;

import static io.holdfast.rig.servers.RedisServerOptions.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.layout.Keys;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.time.Await;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("In the strict profile")
class StrictProfileIT {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Owner OWNER = new Owner("", "host", 1, "thread", "");

  private RedisServer redis;
  private LockEngine engine;
  private long numbers;

  @BeforeEach
  void start() throws Exception {
    redis = RedisServer.start();
    engine = Engines.open(redis.uri() + "?strict=true&quarantine=5s");
  }

  @AfterEach
  void stop() throws Exception {
    engine.close();
    redis.close();
  }

  private int init() throws EngineException {
    return RedisEngine.init(RedisOptions.of(redis.uri()).withStrict(true), Duration.ofSeconds(2));
  }

  private Ticket ticket(Order order, String name) {
    Ticket.Id id = new Ticket.Id(1, 2, ++numbers);
    return new Ticket(
        id, new Resource("default", name), Shape.mutex(order), 1, LEASE, 0, true, OWNER);
  }

  private Standing attempt(Ticket ticket) throws EngineException {
    return engine.attempt(ticket, () -> {});
  }

  private boolean isGranted(Ticket ticket) {
    try {
      return attempt(ticket) instanceof Standing.Granted;
    } catch (EngineException e) {
      return false;
    }
  }

  private static String bucketOf(String name) {
    return Keys.tagText(Keys.bucket(Keys.path(new Resource("default", name))));
  }

  /** Another server process has granted here last, as far as the record says. */
  private void takeOver(String name) {
    String record = redis.call("GET", bucketOf(name));
    redis.call("SET", bucketOf(name), record.replaceAll("r=\\S+", "r=another"));
  }

  @Test
  @DisplayName("a server without records grants nothing at first, unless it was declared fresh")
  void fresh() throws Exception {
    assertThatThrownBy(() -> attempt(ticket(Order.ANY, "early")))
        .isInstanceOf(EngineException.NotDone.class)
        .hasMessageContaining("quarantine");
    assertThat(init()).isEqualTo(4_095);
    assertThat(init()).isZero();
    assertThat(attempt(ticket(Order.ANY, "fresh"))).isInstanceOf(Standing.Granted.class);
    Ticket early = ticket(Order.ANY, "early");
    Await.until("the end of the quarantine", LONG, () -> isGranted(early));
  }

  @Test
  @DisplayName("the first of a line keeps its place through a quarantine")
  void keepsItsPlace() throws Exception {
    init();
    Ticket holder = ticket(Order.FIFO, "line");
    Ticket first = ticket(Order.FIFO, "line");
    Ticket second = ticket(Order.FIFO, "line");
    assertThat(attempt(holder)).isInstanceOf(Standing.Granted.class);
    assertThat(attempt(first)).isInstanceOf(Standing.Waiting.class);
    assertThat(attempt(second)).isInstanceOf(Standing.Waiting.class);
    takeOver("line");
    engine.leave(holder, false);
    boolean[] overtaken = new boolean[1];
    Await.until(
        "the first is in",
        LONG,
        () -> {
          overtaken[0] |= isGranted(second);
          return isGranted(first) || overtaken[0];
        });
    assertThat(overtaken[0]).isFalse();
  }

  @Test
  @DisplayName("the first replica of a master costs a quarantine, and the next one none")
  void firstReplica() throws Exception {
    init();
    assertThat(attempt(ticket(Order.ANY, "alone"))).isInstanceOf(Standing.Granted.class);
    try (RedisServer first = RedisServer.start(PLAIN.replicaOf(redis))) {
      first.awaitInSync(redis);
      assertThatThrownBy(() -> attempt(ticket(Order.ANY, "replicated")))
          .isInstanceOf(EngineException.NotDone.class)
          .hasMessageContaining("quarantine");
      Ticket late = ticket(Order.ANY, "replicated");
      Await.until("the end of the quarantine", LONG, () -> isGranted(late));
      try (RedisServer second = RedisServer.start(PLAIN.replicaOf(redis))) {
        second.awaitInSync(redis);
        engine.leave(late, false);
        assertThat(attempt(ticket(Order.ANY, "replicated"))).isInstanceOf(Standing.Granted.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  @DisplayName("a restart with all data keeps the holder in and others out, for a quarantine")
  void restartedWithItsData(Order order) throws Exception {
    try (RedisServer durable = RedisServer.startDurable();
        LockEngine strict = Engines.open(durable.uri() + "?strict=true&quarantine=5s")) {
      RedisEngine.init(RedisOptions.of(durable.uri()).withStrict(true), Duration.ofSeconds(2));
      Ticket holder = ticket(order, "kept");
      Ticket rival = ticket(order, "kept");
      assertThat(strict.attempt(holder, () -> {})).isInstanceOf(Standing.Granted.class);
      durable.process().kill9();
      durable.process().restart();
      long start = System.nanoTime();
      Await.until("the holder stays", LONG, () -> isRenewed(strict, holder));
      assertThat(strict.attempt(rival, () -> {})).isInstanceOf(Standing.Waiting.class);
      strict.leave(holder, false);
      Await.until(
          "a rival is in", LONG, () -> strict.attempt(rival, () -> {}) instanceof Standing.Granted);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(4));
    }
  }

  private static boolean isRenewed(LockEngine strict, Ticket holder) throws EngineException {
    return strict.renew(holder) instanceof Renewal.Renewed;
  }

  @Test
  @DisplayName("a leave in doubt outlives the mark of a revocation that is about to end")
  void leftThoughRevoked() throws Exception {
    init();
    Ticket ticket = ticket(Order.ANY, "revoked");
    long token = ((Standing.Granted) attempt(ticket)).token();
    Resource resource = ticket.resource();
    assertThat(engine.inspector().orElseThrow().revoke(resource, token, "stuck"))
        .isEqualTo(Verdict.DONE);
    String gone = bucketOf("revoked") + ":x:" + ticket.id().encoded();
    redis.call("PEXPIRE", gone, "200");
    engine.leave(ticket, true);
    assertThat(Long.parseLong(redis.call("PTTL", gone))).isGreaterThan(1_000);
    assertThatThrownBy(() -> attempt(ticket)).isInstanceOf(EngineException.Refused.class);
  }
}
