package io.holdfast.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.rig.servers.PostgresServer;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Two instances as processes of their own, a third one without locks, and PostgreSQL. */
@Timeout(120)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SpringOrdersIT {

  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final int CLIENTS = 8;
  private static final int ENOUGH = 1_000_000;
  private static final int RUNS = 3;
  private static final Pattern TOKEN = Pattern.compile("\"token\":\"(\\d+)\"");

  private static PostgresServer postgres;
  private static Instance one;
  private static Instance other;
  private static Instance unguarded;

  @BeforeAll
  static void start() throws IOException {
    postgres = PostgresServer.start();
    try (InputStream schema = OrdersApplication.class.getResourceAsStream("/schema.sql")) {
      postgres.sql(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
    }
    String[] settings = {
      "--holdfast.lease=5s", "--orders.report.cron=*/5 * * * * *", "--orders.forward.delay=100ms"
    };
    one = Instance.start(postgres, settings);
    other = Instance.start(postgres, settings);
    unguarded =
        Instance.start(
            postgres,
            "--holdfast.enabled=false",
            "--orders.report.cron=-",
            "--orders.forward.delay=1d");
    one.awaitStarted();
    other.awaitStarted();
    unguarded.awaitStarted();
  }

  @AfterAll
  static void stop() {
    for (Instance each : new Instance[] {one, other, unguarded}) {
      if (each != null) {
        each.close();
      }
    }
    postgres.close();
  }

  private static long number(String query) {
    return Long.parseLong(postgres.sql(query).strip());
  }

  private static long sold(String sku) {
    return number("select coalesce(sum(quantity), 0) from placed_order where sku = '" + sku + "'");
  }

  private static long left(String sku) {
    return number("select stock from item where sku = '" + sku + "'");
  }

  /** Sends so many orders of one each, by several clients, to the instances in turn. */
  private static void orders(String sku, int count, Instance... instances) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    List<Future<Integer>> replies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Instance instance = instances[i % instances.length];
      replies.add(
          clients.submit(() -> instance.send("POST", "/items/" + sku + "/orders").statusCode()));
    }
    for (Future<Integer> reply : replies) {
      assertThat(reply.get(60, TimeUnit.SECONDS)).isEqualTo(201);
    }
    clients.shutdown();
  }

  @Test
  @Order(1)
  void noOrderOfTwoInstancesIsLost() throws Exception {
    assertThat(one.send("PUT", "/items/apples?stock=150").statusCode()).isEqualTo(200);
    long start = System.nanoTime();
    orders("apples", 100, one, other);
    Figure.print(
        "100 orders of one item in %d ms",
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    assertThat(sold("apples")).isEqualTo(100);
    assertThat(left("apples")).isEqualTo(50);
    assertThat(number("select count(*) from holdfast_fence where resource = 'orders:stock/apples'"))
        .as("claims of the fence")
        .isEqualTo(1);
    assertThat(other.send("POST", "/items/apples/orders?quantity=51").statusCode()).isEqualTo(409);
    assertThat(other.send("POST", "/items/pears/orders").statusCode()).isEqualTo(404);
  }

  /** So that the test above can fail: the same program, the same requests, and no locks. */
  @Test
  @Order(2)
  void withoutLocksOrdersAreLost() throws Exception {
    assertThat(unguarded.send("PUT", "/items/plums?stock=150").statusCode()).isEqualTo(200);
    orders("plums", 100, unguarded);
    long lost = 100 - (150 - left("plums"));
    Figure.print("without locks %d of 100 orders are lost", lost);
    assertThat(sold("plums")).isEqualTo(100);
    assertThat(lost).isPositive();
  }

  /** If both ran it, their rows would be no second apart. */
  @Test
  @Order(3)
  void aJobRunsOnceInAPeriod() {
    Await.until("three runs", BOUND, () -> number("select count(*) from sales_report") >= RUNS);
    String gaps = "select made_at - lag(made_at) over (order by made_at) as gap from sales_report";
    assertThat(postgres.sql("select min(gap) > interval '2 s' from (" + gaps + ") as gaps").strip())
        .isEqualTo("t");
  }

  @Test
  @Order(4)
  void oneInstanceLeads() throws Exception {
    one.send("PUT", "/items/kiwis?stock=" + ENOUGH);
    Await.until("an instance that led for a while", BOUND, SpringOrdersIT::leadsForAWhile);
    for (Instance each : List.of(one, other)) {
      assertThat(each.get("/actuator/health").body()).contains("\"holdfast\":{", "\"UP\"");
    }
  }

  /** Returns false if another one leads afterwards, as may be after a pause of the machine. */
  private static boolean leadsForAWhile() throws Exception {
    String before = election(one);
    long last = number("select max(id) from placed_order");
    orders("kiwis", 20, one, other);
    String since = "from placed_order where id > " + last;
    Await.until(
        "all orders to be forwarded",
        BOUND,
        () -> number("select count(*) " + since + " and forwarded_by is null") == 0);
    if (!token(before).equals(token(election(other)))) {
      return false;
    }
    assertThat(postgres.sql("select distinct forwarded_by " + since).strip())
        .isEqualTo(leader(before).name());
    return true;
  }

  /** Returns what this instance shows of the election, in which there is one leader. */
  private static String election(Instance asked) throws Exception {
    String shown = asked.get("/actuator/holdfast/warehouse").body();
    assertThat(shown).containsOnlyOnce("HOLDING");
    return shown;
  }

  private static String token(String election) {
    Matcher token = TOKEN.matcher(election);
    assertThat(token.find()).as(election).isTrue();
    return token.group(1);
  }

  private static Instance leader(String election) {
    boolean leads = election.contains("pid " + one.pid() + " ");
    assertThat(election).contains("pid " + (leads ? one : other).pid() + " ");
    return leads ? one : other;
  }

  /** An order that got no reply may have been done or not; nothing else is open. */
  @Test
  @Order(5)
  void whenTheLeaderIsKilledTheOtherGoesOn() throws Exception {
    Instance killed = leader(election(one));
    Instance survivor = killed == one ? other : one;
    one.send("PUT", "/items/figs?stock=" + ENOUGH);
    AtomicInteger byKilled = new AtomicInteger();
    AtomicInteger bySurvivor = new AtomicInteger();
    AtomicInteger unclear = new AtomicInteger();
    AtomicBoolean enough = new AtomicBoolean();
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    for (int i = 0; i < CLIENTS; i++) {
      Instance instance = i % 2 == 0 ? killed : survivor;
      AtomicInteger done = i % 2 == 0 ? byKilled : bySurvivor;
      clients.execute(
          () -> {
            while (!enough.get() && instance.isRunning()) {
              (isOrdered(instance) ? done : unclear).incrementAndGet();
            }
          });
    }
    Await.until("orders at both", BOUND, () -> byKilled.get() > 20 && bySurvivor.get() > 20);
    killed.kill9();
    long start = System.nanoTime();
    int before = bySurvivor.get();
    Await.until("orders after the kill", BOUND, () -> bySurvivor.get() > before + CLIENTS);
    long goesOn = System.nanoTime() - start;
    Await.until("another leader", BOUND, () -> leads(survivor));
    Figure.print(
        "after the kill orders go on in %d ms, and the other instance leads in %d ms",
        TimeUnit.NANOSECONDS.toMillis(goesOn),
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
    enough.set(true);
    clients.shutdown();
    assertThat(clients.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    long done = (long) byKilled.get() + bySurvivor.get();
    assertThat(sold("figs")).isBetween(done, done + unclear.get()).isEqualTo(ENOUGH - left("figs"));
    assertThat(leader(election(survivor))).isSameAs(survivor);
  }

  private static boolean leads(Instance instance) throws Exception {
    return instance.get("/actuator/holdfast/warehouse").body().contains("pid " + instance.pid())
        && number(
                "select count(*) from placed_order where sku = 'figs' and forwarded_by = '"
                    + instance.name()
                    + "'")
            > 0;
  }

  private static boolean isOrdered(Instance instance) {
    try {
      return instance.send("POST", "/items/figs/orders").statusCode() == 201;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
