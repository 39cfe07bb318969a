package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.StaleTokenException;
import io.holdfast.jdbc.guard.SqlFenceGuard;
import io.holdfast.rig.time.Figure;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Rule 3: a JPA session that was bound before the lock, as with open-in-view. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class Rule03SessionRules {

  private static final int UPDATES = 100;

  /** A row that is read, changed and written back. */
  @Entity(name = "item")
  public static class Item {
    @Id int id;
    int qty;

    static Item of(int id, int qty) {
      Item item = new Item();
      item.id = id;
      item.qty = qty;
      return item;
    }
  }

  static class Items {
    @PersistenceContext EntityManager entities;

    @Transactional
    public void reset() {
      entities.createQuery("delete from item").executeUpdate();
      entities.persist(Item.of(1, UPDATES));
    }

    public int read() {
      return entities.find(Item.class, 1).qty;
    }

    /** From the database, whatever the session has. */
    public int readAgain() {
      return entities
          .createQuery("select qty from item where id = 1", Integer.class)
          .getSingleResult();
    }

    @Locked("item/{#id}")
    @Transactional
    public void decrement(int id) {
      entities.find(Item.class, id).qty--;
    }

    @Locked(name = "item/{#id}", fence = true)
    @Transactional
    public void fenced(int id) {
      entities.find(Item.class, id).qty--;
    }
  }

  static class Jpa {
    @Bean
    LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource source) {
      LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
      factory.setDataSource(source);
      factory.setPackagesToScan("io.holdfast.spring");
      HibernateJpaVendorAdapter hibernate = new HibernateJpaVendorAdapter();
      hibernate.setGenerateDdl(true);
      factory.setJpaVendorAdapter(hibernate);
      return factory;
    }

    @Bean
    JpaTransactionManager transactionManager(EntityManagerFactory factory) {
      return new JpaTransactionManager(factory);
    }

    @Bean
    Items items() {
      return new Items();
    }
  }

  /** What Spring does for each web request unless open-in-view is off. */
  static void inRequest(AnnotationConfigApplicationContext context, Runnable request) {
    EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
    EntityManager session = factory.createEntityManager();
    EntityManagerHolder holder = new EntityManagerHolder(session);
    TransactionSynchronizationManager.bindResource(factory, holder);
    try {
      request.run();
      assertThat(TransactionSynchronizationManager.getResource(factory)).isSameAs(holder);
    } finally {
      TransactionSynchronizationManager.unbindResource(factory);
      session.close();
    }
  }

  private final DatabaseServer database;
  private String url;
  private AnnotationConfigApplicationContext putAway;
  private AnnotationConfigApplicationContext ignore;

  Rule03SessionRules(DatabaseServer database) {
    this.database = database;
  }

  @BeforeAll
  void start() {
    url = database.create().apply("sessions");
    putAway = DatabaseContext.start(url, Map.of(), Jpa.class);
    ignore = DatabaseContext.start(url, Map.of("session", BoundSession.IGNORE), Jpa.class);
  }

  @AfterAll
  void stop() {
    putAway.close();
    ignore.close();
  }

  private static int lostUpdates(AnnotationConfigApplicationContext context) throws Exception {
    Items items = context.getBean(Items.class);
    items.reset();
    List<Throwable> failures =
        DatabaseContext.race(
            UPDATES,
            i ->
                inRequest(
                    context,
                    () -> {
                      items.read();
                      items.decrement(1);
                    }));
    assertThat(failures).isEmpty();
    return items.read();
  }

  @Test
  void noUpdateIsLostWhenTheSessionIsPutAway() throws Exception {
    int lost = lostUpdates(putAway);
    Figure.print("%s, JPA, session in view, put away: %d of 100 lost", database.label(), lost);
    assertThat(lost).isZero();
  }

  /** A session that is put away has no connection, so that two are enough for eight threads. */
  @Test
  void requestsNeedNoSecondConnection() throws Exception {
    try (AnnotationConfigApplicationContext few =
        DatabaseContext.start(
            url, Map.of("connections", 2, "connection-timeout", 10_000), Jpa.class)) {
      assertThat(lostUpdates(few)).isZero();
    }
  }

  /** The same race can lose updates: this is what putting the session away is for. */
  @Test
  void updatesAreLostWhenTheSessionIsIgnored() throws Exception {
    int lost = lostUpdates(ignore);
    Figure.print("%s, JPA, session in view, ignored: %d of 100 lost", database.label(), lost);
    assertThat(lost).isPositive();
  }

  @Test
  void aBoundSessionCanBeRefused() {
    try (AnnotationConfigApplicationContext refuse =
        DatabaseContext.start(url, Map.of("session", BoundSession.REFUSE), Jpa.class)) {
      Items items = refuse.getBean(Items.class);
      items.reset();
      assertThatThrownBy(() -> inRequest(refuse, () -> items.decrement(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("spring.jpa.open-in-view=false")
          .hasMessageContaining("put-away");
      items.decrement(1);
      assertThat(items.read()).isEqualTo(UPDATES - 1);
    }
  }

  /** Rule 6 with transactions of JPA. */
  @Test
  void rule06TransactionsOfJpaClaimTheFence() {
    Items items = putAway.getBean(Items.class);
    items.reset();
    items.fenced(1);
    assertThat(items.read()).isEqualTo(UPDATES - 1);
    SqlFenceGuard.over(putAway.getBean(DataSource.class))
        .inNamespace("spring")
        .claim("item/1", Long.MAX_VALUE, "a later holder");
    assertThatThrownBy(() -> items.fenced(1)).isInstanceOf(StaleTokenException.class);
    assertThat(items.read()).isEqualTo(UPDATES - 1);
    assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
  }
}
