package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import jakarta.persistence.EntityManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Rule 3 where Hibernate is not there, or is a version with another SPI: sessions are put away, and
 * keep their connections.
 */
@Timeout(60)
class Rule03WithoutHibernateTest {

  /** Has these classes of its own, and does not find some of Hibernate. */
  private static final class Loader extends ClassLoader {
    private static final String OWN = "io.holdfast.spring.";
    private final String hidden;

    Loader(String hidden) {
      super(Rule03WithoutHibernateTest.class.getClassLoader());
      this.hidden = hidden;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.startsWith(hidden)) {
        throw new ClassNotFoundException(name);
      }
      if (!name.startsWith(OWN)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (code == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = code.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    boolean hasLoaded(String name) {
      return findLoadedClass(OWN + name) != null;
    }
  }

  private AnnotationConfigApplicationContext context;

  @BeforeEach
  void start() {
    context =
        DatabaseContext.start(
            "jdbc:h2:mem:without-hibernate;DB_CLOSE_DELAY=-1",
            Map.of(),
            Rule03SessionRules.Jpa.class);
    context.getBean(Rule03SessionRules.Items.class).reset();
  }

  @AfterEach
  void stop() {
    context.close();
  }

  @Test
  void nothingOfHibernateIsNeeded() throws Exception {
    Loader loader = new Loader("org.hibernate.");
    assertThat(connectionsWithoutSessions(loader)).isOne();
    assertThat(loader.hasLoaded("BoundSessions")).isTrue();
    assertThat(loader.hasLoaded("HibernateConnection")).isFalse();
  }

  @Test
  void anotherSpiOfHibernateFailsNoCall() throws Exception {
    Loader loader = new Loader("org.hibernate.engine.jdbc.spi.JdbcCoordinator");
    assertThat(connectionsWithoutSessions(loader)).isOne();
    assertThat(loader.hasLoaded("HibernateConnection")).isTrue();
  }

  /** So that the tests above mean something. */
  @Test
  void withHibernateTheConnectionIsGivenBack() throws Exception {
    assertThat(connectionsWithoutSessions(new Loader("nothing."))).isZero();
  }

  /** Returns how many connections are in use while the sessions of a request are put away. */
  private int connectionsWithoutSessions(Loader loader) throws Exception {
    Class<?> bodyType = loader.loadClass("io.holdfast.spring.HoldChain$Body");
    Method without =
        loader.loadClass("io.holdfast.spring.BoundSessions").getDeclaredMethod("without", bodyType);
    without.setAccessible(true);
    EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
    Object body =
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {bodyType},
            (proxy, method, arguments) -> {
              assertThat(TransactionSynchronizationManager.getResource(factory)).isNull();
              return activeConnections();
            });
    int[] during = new int[1];
    Rule03SessionRules.inRequest(
        context,
        () -> {
          context.getBean(Rule03SessionRules.Items.class).read();
          assertThat(activeConnections()).isOne();
          try {
            during[0] = (int) without.invoke(null, body);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
          }
        });
    return during[0];
  }

  private int activeConnections() {
    return context.getBean(HikariDataSource.class).getHikariPoolMXBean().getActiveConnections();
  }
}
