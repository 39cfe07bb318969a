package io.holdfast.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.proxy.ProxyFault;
import io.holdfast.rig.servers.MonitoredCommand;
import io.holdfast.rig.servers.RedisMonitor;
import io.holdfast.rig.servers.RedisServer;
import io.holdfast.rig.servers.RedisServerOptions;
import io.holdfast.rig.servers.RespConnection;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What takes back a grant that no replica confirmed: it may come late, and it keeps places. */
@Isolated
@Timeout(60)
class U16UndoIT {

  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String OPTIONS = "?minReplicas=1&replicaTimeout=300ms&holdfast.lease=20s";

  private static RedisServer master;
  private static RedisServer replica;

  @BeforeAll
  static void start() {
    master = RedisServer.start();
    replica = RedisServer.start(RedisServerOptions.PLAIN.replicaOf(master));
    replica.awaitInSync(master);
  }

  @AfterEach
  void heal() {
    replica.process().resume();
  }

  @AfterAll
  static void stop() {
    replica.close();
    master.close();
  }

  private static Holdfast connect(int port, String order) {
    return Holdfast.connect("redis://127.0.0.1:" + port + OPTIONS + "&holdfast.order=" + order);
  }

  private static CompletableFuture<Hold> acquire(Holdfast holdfast, String name) {
    return holdfast.lock(name).acquireAsync(LONG).toCompletableFuture();
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("what took a grant back does no harm when it comes once more, after the next grant")
  void comesLate(String order) throws Exception {
    try (Holdfast holdfast = connect(master.port(), order);
        RedisMonitor monitor = RedisMonitor.of(master)) {
      acquire(holdfast, "late").get(30, TimeUnit.SECONDS).close();
      monitor.commands();
      monitor.clear();
      replica.process().pause();
      CompletableFuture<Hold> acquiring = acquire(holdfast, "late");
      List<String> undo =
          Await.value("the undo", LONG, () -> afterWait(monitor.commands()).stream().findFirst())
              .words();
      replica.process().resume();
      Hold hold = acquiring.get(30, TimeUnit.SECONDS);
      try (RespConnection connection = master.connect()) {
        connection.call(undo.toArray(String[]::new));
      }
      assertThat(tokens(holdfast, "late")).containsExactly(hold.token());
      hold.close();
      Figure.print("an undo that came once more (order %s): still held", order);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "fifo"})
  @DisplayName("after an undo without an answer, the ticket gets another token")
  void withoutAnswer(String order) throws Exception {
    try (FaultProxy proxy = FaultProxy.to(master.process());
        RedisMonitor monitor = RedisMonitor.of(master);
        Holdfast watcher = connect(master.port(), order);
        Holdfast holdfast = connect(proxy.port(), order)) {
      acquire(holdfast, "lost").get(30, TimeUnit.SECONDS).close();
      monitor.commands();
      monitor.clear();
      replica.process().pause();
      CompletableFuture<Hold> acquiring = acquire(holdfast, "lost");
      monitor.await("WAIT", LONG, command -> command.name().equals("WAIT"));
      proxy.apply(Direction.REQUESTS, new ProxyFault.Swallow());
      long lost = proxy.counts().lostRequestBytes();
      Await.until("a lost undo", LONG, () -> proxy.counts().lostRequestBytes() > lost);
      long unseen = tokens(watcher, "lost").get(0);
      replica.process().resume();
      proxy.heal();
      Hold hold = acquiring.get(30, TimeUnit.SECONDS);
      assertThat(hold.token()).isGreaterThan(unseen);
      assertThat(tokens(watcher, "lost")).containsExactly(hold.token());
      hold.close();
    }
  }

  @Test
  @DisplayName("a waiter whose grant is taken back keeps its place")
  void keepsItsPlace() throws Exception {
    List<String> order = new CopyOnWriteArrayList<>();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    try (Holdfast holdfast = connect(master.port(), "fifo");
        RedisMonitor monitor = RedisMonitor.of(master)) {
      Hold first = acquire(holdfast, "place").get(30, TimeUnit.SECONDS);
      String key = StoredKeys.ofLock(master, "place");
      for (String who : List.of("a", "b", "c", "d")) {
        int before = all.size();
        all.add(
            acquire(holdfast, "place")
                .thenAccept(
                    hold -> {
                      order.add(who);
                      hold.close();
                    }));
        Await.until(who + " in line", LONG, () -> StoredKeys.inLine(master, key) == before + 1);
      }
      monitor.commands();
      monitor.clear();
      replica.process().pause();
      first.close();
      Await.until("undone", LONG, () -> afterWait(monitor.commands()).size() > 4);
      replica.process().resume();
      for (CompletableFuture<Void> each : all) {
        each.get(30, TimeUnit.SECONDS);
      }
      assertThat(order).containsExactly("a", "b", "c", "d");
    }
  }

  /** The scripts that came next after replicas had been asked, on the same connection. */
  private static List<MonitoredCommand> afterWait(List<MonitoredCommand> commands) {
    List<MonitoredCommand> after = new ArrayList<>();
    String asked = "";
    for (MonitoredCommand command : commands) {
      if (command.name().equals("WAIT")) {
        asked = command.client();
      } else if (command.client().equals(asked)) {
        after.add(command);
        asked = "";
      }
    }
    return after;
  }

  private static List<Long> tokens(Holdfast holdfast, String name) throws EngineException {
    return holdfast.inspector().orElseThrow().show(new Resource("default", name)).stream()
        .flatMap(line -> line.tickets().stream())
        .filter(ticket -> ticket.state() == TicketView.State.HOLDING)
        .map(TicketView::token)
        .toList();
  }
}
