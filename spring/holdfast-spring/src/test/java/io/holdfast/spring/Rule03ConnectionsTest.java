package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.LockTimeoutException;
import io.holdfast.rig.time.Await;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceContext;
import java.lang.reflect.Constructor;
import java.sql.Connection;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.BeanUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Rule 3: a session that is put away has no connection of the pool. */
@Timeout(60)
class Rule03ConnectionsTest {

  private static final String URL = "jdbc:h2:mem:connections;DB_CLOSE_DELAY=-1";

  static class Calls {
    final Rule03SessionRules.Items items;
    final TransactionTemplate transaction;
    final TransactionTemplate scope;

    @PersistenceContext EntityManager entities;

    Calls(Rule03SessionRules.Items items, PlatformTransactionManager manager) {
      this.items = items;
      transaction = new TransactionTemplate(manager);
      scope = new TransactionTemplate(manager);
      scope.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
    }

    @Locked("item/1")
    public void fail() {
      transaction.executeWithoutResult(status -> items.read());
      throw new IllegalArgumentException("of the method");
    }

    @Locked(name = "item/1", onBusy = OnBusy.SKIP, waitFor = "0s")
    public void skip() {
      throw new AssertionError("called without the lock");
    }

    @Locked(name = "item/1", waitFor = "0s")
    public void doNotWait() {
      throw new AssertionError("called without the lock");
    }

    /** Has a session of its own, which is put away for the inner call. */
    @Locked("outer")
    public int nested() {
      return scope.execute(
          status -> {
            int before = items.read();
            items.decrement(1);
            assertThat(items.read()).as("of the session of the scope").isEqualTo(before);
            return before;
          });
    }

    @Locked("item/1")
    public CompletableFuture<Integer> later() {
      return CompletableFuture.completedFuture(decrementHere());
    }

    @Locked("item/1")
    public Mono<Integer> published() {
      return Mono.fromCallable(this::decrementHere);
    }

    private int decrementHere() {
      return transaction.execute(status -> --entities.find(Rule03SessionRules.Item.class, 1).qty);
    }
  }

  private AnnotationConfigApplicationContext context;
  private Rule03SessionRules.Items items;
  private Calls calls;
  private TransactionTemplate transaction;
  private EntityManager entities;

  @BeforeEach
  void start() {
    start(1, true);
  }

  private void restart(int connections, boolean autoCommit) {
    context.close();
    start(connections, autoCommit);
  }

  private void start(int connections, boolean autoCommit) {
    context =
        DatabaseContext.start(
            URL,
            Map.of(
                "connections", connections, "connection-timeout", 3_000, "auto-commit", autoCommit),
            Rule03SessionRules.Jpa.class,
            Calls.class);
    items = context.getBean(Rule03SessionRules.Items.class);
    items.reset();
    calls = context.getBean(Calls.class);
    transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    entities =
        SharedEntityManagerCreator.createSharedEntityManager(
            context.getBean(EntityManagerFactory.class));
  }

  @AfterEach
  void stop() {
    assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    assertThat(activeConnections()).isZero();
    context.close();
  }

  private int activeConnections() {
    return context.getBean(HikariDataSource.class).getHikariPoolMXBean().getActiveConnections();
  }

  private void inRequest(Runnable request) {
    Rule03SessionRules.inRequest(context, request);
  }

  private Holdfast holdfast() {
    return context.getBean(Holdfast.class);
  }

  /** All connections are in sessions that have read before the first call of the method. */
  @Test
  void requestsThatTakeAllConnectionsGetThemForTheirLockedCalls() throws Exception {
    restart(2, true);
    int before = items.read();
    CyclicBarrier both = new CyclicBarrier(2);
    Runnable request =
        () ->
            inRequest(
                () -> {
                  items.read();
                  await(both);
                  items.decrement(1);
                });
    CompletableFuture<?> one = Threads.run(request);
    CompletableFuture<?> other = Threads.run(request);
    one.get(30, TimeUnit.SECONDS);
    other.get(30, TimeUnit.SECONDS);
    assertThat(items.read()).isEqualTo(before - 2);
  }

  private static void await(CyclicBarrier both) {
    try {
      both.await(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void manyRequestsShareFewConnections() throws Exception {
    restart(2, true);
    int before = items.read();
    List<Throwable> failures =
        DatabaseContext.race(
            50,
            i ->
                inRequest(
                    () -> {
                      items.read();
                      items.decrement(1);
                      items.read();
                    }));
    assertThat(failures).isEmpty();
    assertThat(items.read()).isEqualTo(before - 50);
  }

  @Test
  void aRequestThatWaitsForTheLockHasNoConnection() throws Exception {
    int before = items.read();
    CompletableFuture<?> waiting;
    try (Hold rival = holdfast().lock("item/1").acquire()) {
      waiting =
          Threads.run(
              () ->
                  inRequest(
                      () -> {
                        items.read();
                        assertThat(activeConnections()).isOne();
                        items.decrement(1);
                      }));
      Await.until("the request", Operators.BOUND, () -> holdfast().stats().waiting() == 1);
      assertThat(activeConnections()).isZero();
      assertThat(items.read()).as("with the only connection").isEqualTo(before);
    }
    waiting.get(30, TimeUnit.SECONDS);
    assertThat(items.read()).isEqualTo(before - 1);
  }

  /** It has what it had read, and acquires a connection when it reads more. */
  @Test
  void theSessionGoesOnAfterTheCall() {
    inRequest(
        () -> {
          Rule03SessionRules.Item read = entities.find(Rule03SessionRules.Item.class, 1);
          int before = read.qty;
          items.decrement(1);
          assertThat(activeConnections()).isZero();
          assertThat(entities.find(Rule03SessionRules.Item.class, 1)).isSameAs(read);
          assertThat(items.readAgain()).isEqualTo(before - 1);
          assertThat(activeConnections()).isOne();
        });
  }

  @Test
  void theSessionGoesOnAfterACallThatFailed() {
    inRequest(
        () -> {
          int before = items.read();
          assertThatThrownBy(calls::fail).hasMessage("of the method");
          assertThat(items.readAgain()).isEqualTo(before);
        });
  }

  @Test
  void theSessionGoesOnAfterALockThatWasNotGranted() throws Exception {
    try (Hold rival = holdfast().lock("item/1").acquire()) {
      inRequest(
          () -> {
            int before = items.read();
            calls.skip();
            assertThat(items.readAgain()).isEqualTo(before);
            assertThatThrownBy(calls::doNotWait).isInstanceOf(LockTimeoutException.class);
            assertThat(items.readAgain()).isEqualTo(before);
          });
    }
  }

  @Test
  void aCallWithinACallHasTheOnlyConnection() {
    inRequest(
        () -> {
          int before = items.read();
          assertThat(calls.nested()).isEqualTo(before);
          assertThat(items.readAgain()).isEqualTo(before - 1);
        });
  }

  /** The session stays bound to the caller; the method runs on another thread. */
  @Test
  void aCallerOfAFutureOrPublisherHasNoConnection() {
    inRequest(
        () -> {
          int before = items.read();
          assertThat(calls.later().join()).isEqualTo(before - 1);
          assertThat(items.readAgain()).isEqualTo(before - 1);
          assertThat(calls.published().block(Operators.BOUND)).isEqualTo(before - 2);
          assertThat(items.readAgain()).isEqualTo(before - 2);
        });
  }

  /** Its reads have begun a transaction of the database, of which nobody knows. */
  @Test
  void aConnectionWithoutAutoCommitIsGivenBack() {
    restart(1, false);
    inRequest(
        () -> {
          int before = items.read();
          items.decrement(1);
          assertThat(items.readAgain()).isEqualTo(before - 1);
        });
  }

  /** Of the session alone: Spring does not know it. */
  @Test
  void aSessionInATransactionKeepsItsConnection() {
    restart(2, true);
    EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
    inRequest(
        () -> {
          EntityManager session = EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
          session.getTransaction().begin();
          session.persist(Rule03SessionRules.Item.of(2, 20));
          session.flush();
          items.decrement(1);
          assertThat(activeConnections()).isOne();
          session.getTransaction().commit();
        });
    assertThat(entities.find(Rule03SessionRules.Item.class, 2).qty).isEqualTo(20);
  }

  @Test
  void aStreamOfTheSessionGoesOn() {
    restart(2, true);
    transaction.executeWithoutResult(status -> entities.persist(Rule03SessionRules.Item.of(2, 20)));
    inRequest(
        () -> {
          try (Stream<Integer> ids =
              entities
                  .createQuery("select id from item order by id", Integer.class)
                  .getResultStream()) {
            Iterator<Integer> rows = ids.iterator();
            assertThat(rows.next()).isEqualTo(1);
            items.decrement(1);
            assertThat(rows.next()).isEqualTo(2);
            items.decrement(2);
            assertThat(rows.hasNext()).isFalse();
          }
          items.decrement(1);
          assertThat(activeConnections()).as("with the stream closed").isZero();
        });
  }

  /** The session could not acquire another one. */
  @Test
  void aSessionThatWasOpenedWithAConnectionKeepsIt() throws Exception {
    restart(2, true);
    EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
    try (Connection connection = context.getBean(DataSource.class).getConnection();
        Session session =
            factory
                .unwrap(SessionFactory.class)
                .withOptions()
                .connection(connection)
                .openSession()) {
      TransactionSynchronizationManager.bindResource(factory, new EntityManagerHolder(session));
      try {
        int before = items.read();
        items.decrement(1);
        assertThat(items.readAgain()).isEqualTo(before - 1);
      } finally {
        TransactionSynchronizationManager.unbindResource(factory);
      }
    }
  }

  /** Spring 7 binds them too, in holders without another session. */
  @Test
  void aStatelessSessionIsPutAway() {
    restart(2, true);
    EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
    Constructor<?> ofAnything =
        Arrays.stream(EntityManagerHolder.class.getDeclaredConstructors())
            .filter(each -> each.getParameterTypes()[0] == Object.class)
            .findAny()
            .orElse(null);
    assumeThat(ofAnything).as("of Spring 7").isNotNull();
    try (StatelessSession session = factory.unwrap(SessionFactory.class).openStatelessSession()) {
      TransactionSynchronizationManager.bindResource(
          factory, BeanUtils.instantiateClass(ofAnything, session));
      try {
        int before = session.get(Rule03SessionRules.Item.class, 1).qty;
        items.decrement(1);
        assertThat(session.get(Rule03SessionRules.Item.class, 1).qty).isEqualTo(before - 1);
      } finally {
        TransactionSynchronizationManager.unbindResource(factory);
      }
    }
  }
}
