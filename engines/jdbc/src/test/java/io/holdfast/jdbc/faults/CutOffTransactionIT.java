package io.holdfast.jdbc.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.JdbcEngine;
import io.holdfast.jdbc.JdbcOptions;
import io.holdfast.rig.time.Await;
import io.holdfast.rig.time.Figure;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Order;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client whose network vanishes between the statements of a transaction and its commit. */
@Timeout(120)
class CutOffTransactionIT {

  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration WAIT = Duration.ofSeconds(20);

  /** The server counts from the last statement; MariaDB in whole seconds. */
  private static final Duration BOUND = TIMEOUT.plusSeconds(1);

  private final CountDownLatch cut = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean armed;

  @ParameterizedTest
  @EnumSource
  @DisplayName("blocks others for one operation timeout, and not until the server misses it")
  void theServerEndsIt(Server.Kind kind) throws Exception {
    try (Server server = kind.start();
        LockEngine others = engine(server, new Plain(server.url()));
        LockEngine lane = others.lane()) {
      assertThat(standing(lane, ticket("first"))).isInstanceOf(Standing.Granted.class);
      LockEngine client = engine(server, vanishing(new Plain(server.url())));
      LockEngine itsLane = client.lane();
      armed = true;
      Thread attempt = new Thread(() -> standing(itsLane, ticket("x")), "cut-off");
      attempt.start();
      assertThat(cut.await(WAIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      armed = false;
      long since = System.nanoTime();
      Ticket next = ticket("x");
      Await.until("a grant to another client", WAIT, () -> standing(lane, next) != null);
      Figure.since(since, BOUND, kind + ": client cut off in a transaction: the next is in");
      over.countDown();
      attempt.join();
      itsLane.close();
      client.close();
    } finally {
      over.countDown();
    }
  }

  private static LockEngine engine(Server server, DataSource source) throws Exception {
    return JdbcEngine.over(source, JdbcOptions.of(server.url()), Tickets.settings(TIMEOUT));
  }

  /** A ticket of a line, which joins in a transaction of several statements. */
  private static Ticket ticket(String name) {
    Ticket any = Tickets.mutex(name, Duration.ofSeconds(30));
    return any.withShape(Shape.mutex(Order.FIFO));
  }

  /** Returns what the store says; null if the row is locked, or the connection is gone. */
  private static Standing standing(LockEngine lane, Ticket ticket) {
    try {
      return lane.attempt(ticket, () -> {});
    } catch (EngineException e) {
      return null;
    }
  }

  /** A source whose connections reach the server no more once one of them is about to commit. */
  private DataSource vanishing(DataSource real) {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object result = call(method, real, arguments);
          return result instanceof Connection connection ? vanishing(connection) : result;
        });
  }

  private Connection vanishing(Connection real) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          String name = method.getName();
          if (name.equals("commit")) {
            vanish();
          }
          if (cut.getCount() == 0 && (name.equals("close") || name.equals("abort"))) {
            return null; // The server is not notified.
          }
          Object result = call(method, real, arguments);
          return name.equals("createStatement") ? vanishing((Statement) result) : result;
        });
  }

  private Statement vanishing(Statement real) {
    return proxy(
        Statement.class,
        (method, arguments) -> {
          if (arguments != null && "commit".equals(arguments[0])) {
            vanish();
          }
          return call(method, real, arguments);
        });
  }

  private void vanish() throws InterruptedException {
    if (armed) {
      cut.countDown();
      over.await();
    }
  }

  private interface Handler {
    Object handle(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> handler.handle(method, arguments)));
  }

  private static Object call(Method method, Object real, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
