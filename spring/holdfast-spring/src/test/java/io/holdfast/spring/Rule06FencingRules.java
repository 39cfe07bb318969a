package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Rule 6, U06, U52: transactions that claim the fence of their hold. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Rule06FencingRules {

  static class Fenced {
    final JdbcTemplate jdbc;
    final PlatformTransactionManager main;
    final PlatformTransactionManager other;

    Fenced(JdbcTemplate jdbc, PlatformTransactionManager main, PlatformTransactionManager other) {
      this.jdbc = jdbc;
      this.main = main;
      this.other = other;
    }

    private void write(int value) {
      jdbc.update("update item set value = ? where id = 1", value);
    }

    @Locked(name = "item/1", fence = true)
    @Transactional
    public long writes(int value, @Token long token) {
      write(value);
      return token;
    }

    @Locked(name = "item/1", fence = true)
    public void pausesAndWrites(int value, Runnable pause) {
      pause.run();
      new TransactionTemplate(main).executeWithoutResult(status -> write(value));
    }

    @Locked(name = "item/1", fence = false)
    public void unfenced(int value, Runnable pause) {
      pause.run();
      new TransactionTemplate(main).executeWithoutResult(status -> write(value));
    }

    @Locked(name = "item/1", fence = true)
    public void inNewTransaction(int value, Runnable pause) {
      TransactionTemplate outer = new TransactionTemplate(other);
      TransactionTemplate inner = new TransactionTemplate(main);
      inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
      outer.executeWithoutResult(
          status -> {
            pause.run();
            inner.executeWithoutResult(nested -> write(value));
          });
    }

    @Locked(name = "item/1", fence = true)
    @Transactional
    public void twoTransactions(int value) {
      TransactionTemplate inner = new TransactionTemplate(main);
      inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
      inner.executeWithoutResult(nested -> write(value));
      assertThat(Holds.require().isHeld()).isTrue();
    }

    @Locked(name = "item/1", fence = true)
    @Transactional(readOnly = true)
    public int reads() {
      return jdbc.queryForObject("select value from item where id = 1", Integer.class);
    }

    @Locked(name = "other", fence = true, transactionManager = "other")
    public void byOther(boolean inMain) {
      new TransactionTemplate(inMain ? main : other).executeWithoutResult(status -> write(5));
    }

    @Locked(name = "many/{#ids}", fence = true)
    @Transactional
    public void several(List<Integer> ids) {
      write(6);
    }

    @Locked(name = "shared", side = LockSide.READ, fence = true)
    @Transactional
    public void shared() {
      write(7);
    }

    @Locked("item/1")
    public void joins(Fenced proxy, boolean inTransaction) {
      if (inTransaction) {
        new TransactionTemplate(main).executeWithoutResult(status -> proxy.writes(8, 0));
      } else {
        proxy.writes(8, 0);
      }
    }
  }

  static class Beans {
    @Bean
    Fenced fenced(
        JdbcTemplate jdbc,
        PlatformTransactionManager main,
        @Qualifier("other") PlatformTransactionManager other) {
      return new Fenced(jdbc, main, other);
    }
  }

  private final DatabaseServer database;
  private AnnotationConfigApplicationContext context;
  private AnnotationConfigApplicationContext otherMachine;
  private JdbcTemplate jdbc;
  private Fenced fenced;

  Rule06FencingRules(DatabaseServer database) {
    this.database = database;
  }

  @BeforeAll
  void start() {
    // A claim that waits for itself must fail the test, not hang it.
    String url = database.create().apply("fencing") + database.lockTimeout();
    context = start(url);
    otherMachine = start(url);
    jdbc = context.getBean(JdbcTemplate.class);
    fenced = context.getBean(Fenced.class);
    jdbc.execute("create table item (id int primary key, value int not null)");
    jdbc.update("insert into item values (1, 0)");
  }

  private static AnnotationConfigApplicationContext start(String url) {
    return DatabaseContext.start(
        url, Map.of(), DatabaseContext.JdbcTransactions.class, Beans.class);
  }

  @AfterAll
  void stop() {
    context.close();
    otherMachine.close();
  }

  @BeforeEach
  void clear() {
    jdbc.update("update item set value = 0 where id = 1");
  }

  @AfterEach
  void nothingStaysBehind() {
    assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
    assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
    assertThat(context.getBean(HikariDataSource.class).getHikariPoolMXBean())
        .satisfies(pool -> assertThat(pool.getActiveConnections()).isZero());
    assertThat(Holds.all()).isEmpty();
  }

  private int value() {
    return jdbc.queryForObject("select value from item where id = 1", Integer.class);
  }

  private List<String> claimed() {
    return jdbc.queryForList("select resource from holdfast_fence order by 1", String.class);
  }

  /** What a later holder does first. */
  private void overtake() {
    Hold hold = Holds.require();
    SqlFenceGuard.over(context.getBean(DataSource.class))
        .inNamespace(hold.namespace())
        .claim(hold.name(), hold.token() + 1, "a later holder");
  }

  private void forgetClaims() {
    jdbc.update("delete from holdfast_fence");
  }

  @Test
  void aTransactionClaimsTheFenceOfItsHold() {
    long first = fenced.writes(1, -1);
    long second = fenced.writes(2, -1);
    assertThat(second).isGreaterThan(first);
    assertThat(value()).isEqualTo(2);
    assertThat(
            jdbc.queryForObject(
                "select token from holdfast_fence where resource = 'spring:item/1'", Long.class))
        .isEqualTo(second);
    forgetClaims();
  }

  @Test
  void theDatabaseRefusesALateHolder() {
    assertThatThrownBy(() -> fenced.pausesAndWrites(9, this::overtake))
        .isInstanceOf(StaleTokenException.class);
    assertThat(value()).isZero();
    forgetClaims();
  }

  /** Without a fence the late write goes through: the test above can fail. */
  @Test
  void nobodyRefusesALateHolderWithoutAFence() {
    fenced.writes(1, -1);
    fenced.unfenced(9, this::overtake);
    assertThat(value()).isEqualTo(9);
    forgetClaims();
  }

  /** What had been suspended is resumed, once, and goes on. */
  @Test
  void aRefusedInnerTransactionLeavesTheOuterOneIntact() {
    fenced.writes(1, -1);
    assertThatThrownBy(() -> fenced.inNewTransaction(9, this::overtake))
        .isInstanceOf(StaleTokenException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
    assertThat(value()).isEqualTo(1);
    forgetClaims();
  }

  @Test
  void aHolderThatWasEvictedDoesNotOverwriteItsSuccessor() {
    Fenced there = otherMachine.getBean(Fenced.class);
    Runnable pause =
        () -> {
          Operators.evict(otherMachine.getBean(Holdfast.class), Holds.require());
          Threads.run(() -> there.writes(2, -1)).join();
        };
    assertThatThrownBy(() -> fenced.pausesAndWrites(9, pause))
        .isInstanceOf(HoldfastException.class);
    assertThat(value()).isEqualTo(2);
    forgetClaims();
  }

  /** Claimed a second time, the fence would be waited for until the end of the outer one. */
  @Test
  void anInnerTransactionRestsOnTheClaimOfTheOuterOne() {
    fenced.twoTransactions(4);
    assertThat(value()).isEqualTo(4);
    forgetClaims();
  }

  @Test
  void aReadOnlyTransactionDoesNotClaim() {
    fenced.writes(1, -1);
    forgetClaims();
    assertThat(fenced.reads()).isEqualTo(1);
    assertThat(claimed()).isEmpty();
  }

  @Test
  void onlyTheNamedManagerClaims() {
    fenced.writes(1, -1);
    forgetClaims();
    fenced.byOther(true);
    assertThat(claimed()).isEmpty();
    fenced.byOther(false);
    assertThat(claimed()).containsExactly("spring:other");
    forgetClaims();
  }

  @Test
  void severalNamesAreClaimedAndReadersAreAdmitted() {
    fenced.several(List.of(3, 1, 2));
    assertThat(claimed()).containsExactly("spring:many/1", "spring:many/2", "spring:many/3");
    fenced.shared();
    assertThat(value()).isEqualTo(7);
    forgetClaims();
  }

  @Test
  void aJoinedHoldIsFencedUnlessItsTransactionHasBegun() {
    fenced.joins(fenced, false);
    assertThat(claimed()).containsExactly("spring:item/1");
    assertThat(value()).isEqualTo(8);
    forgetClaims();
    assertThatThrownBy(() -> fenced.joins(fenced, true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("set fence = true on the outer method");
    assertThat(value()).isEqualTo(8);
  }
}
