package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.spi.EngineProvider;
import io.holdfast.spi.support.EngineModules;
import io.holdfast.spring.Locked;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What is printed when the start fails: what is wrong and what to do, no stack trace. */
@Timeout(120)
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalysisTest {

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    PropertyPlaceholderAutoConfiguration.class,
    AopAutoConfiguration.class,
    HoldfastAutoConfiguration.class,
    HoldfastClientsAutoConfiguration.class
  })
  static class App {}

  @Configuration(proxyBeanMethods = false)
  @Import(App.class)
  static class WithDataSource {
    @Bean
    JdbcDataSource dataSource() {
      JdbcDataSource source = new JdbcDataSource();
      source.setUrl("jdbc:h2:mem:failures");
      return source;
    }
  }

  static class Service {
    @Locked(name = "x", client = "nobody")
    public void unknownClient() {}

    @Locked("orders/${no.region}/{#id}")
    public void unsetProperty(long id) {}

    @Locked("x")
    public final void fixed() {}
  }

  @Configuration(proxyBeanMethods = false)
  @Import({App.class, Service.class})
  static class Unguarded {}

  /** Starts an application that must fail, and ends what has started. */
  public static void start(Class<?> app, String... properties) {
    try (var unexpected =
        new SpringApplicationBuilder(app)
            .web(WebApplicationType.NONE)
            .properties("spring.main.banner-mode=off")
            .run(Stream.of(properties).map(each -> "--" + each).toArray(String[]::new))) {
      throw new AssertionError(unexpected + " has started");
    }
  }

  /** For an application on another class path. */
  public static final class Program {
    private Program() {}

    /** Starts an application that must fail. */
    public static void start(boolean source, String[] properties) {
      FailureAnalysisTest.start(source ? WithDataSource.class : App.class, properties);
    }
  }

  private static String failure(CapturedOutput output, Class<?> app, String... properties) {
    Throwable failure = catchThrowable(() -> start(app, properties));
    assertThat(failure).isNotInstanceOf(AssertionError.class);
    return report(output);
  }

  private static String report(CapturedOutput output) {
    String all = output.getAll();
    assertThat(all).contains("APPLICATION FAILED TO START", "Description:", "Action:");
    String report = all.substring(all.indexOf("APPLICATION FAILED TO START"));
    assertThat(report).doesNotContain("\tat ").doesNotContain("s3cr3t");
    return report;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "holdfast.lease=0s                     | lease must be 2 s..86400 s",
        "holdfast.lanes=99                     | lanes=99",
        "holdfast.namespace=My App             | namespace must match",
        "holdfast.locked.wait-for=-5s          | waitFor must not be negative",
        "holdfast.locked.order=2147483647      | smaller than that of @Transactional",
        "holdfast.locked.in-transaction=maybe  | refuse",
        "holdfast.fence.table=my fence         | table must be a plain SQL name",
        "holdfast.shutdown.drain=-1s           | must not be negative",
        "holdfast.shutdown.grace=-1s           | must not be negative",
        "holdfast.clients.reports.lease=1s     | lease must be 2 s..86400 s",
        "holdfast.clients.reports.namespace=A  | namespace must match"
      })
  void aBadValueNamesItsPropertyAndTheRule(String property, String rule, CapturedOutput output) {
    String name = property.substring(0, property.indexOf('='));
    assertThat(
            failure(
                output,
                App.class,
                "holdfast.url=memory:",
                "holdfast.clients.reports.url=memory:",
                property))
        .contains(name)
        .contains(property.substring(name.length() + 1))
        .containsIgnoringCase(rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "holdfast.url=carrier-pigeon://loft   | holdfast.url=carrier-pigeon://loft cannot be used | Correct holdfast.url.",
        "holdfast.url=redis://u:s3cr3t@h?x=1  | holdfast.url=redis:... cannot be used             | Correct holdfast.url.",
        "holdfast.url=memory:?holdfast.lease=1| holdfast.lease                                    | Correct holdfast.url.",
        "holdfast.url=user s3cr3t             | holdfast.url=... cannot be used: address must beg | Correct holdfast.url.",
        "holdfast.store=redis                 | holdfast.store=redis has no bean: it needs one of | Define one, or set holdfast.url.",
        "holdfast.store=redis://u:s3cr3t@h:1  | holdfast.store=redis://h:1 is an address          | Set holdfast.url to the address",
        "holdfast.enabled=true                | Holdfast has no store: holdfast.url is not set    | Set holdfast.url, such as redis://host, or memory:"
      })
  void aStoreThatCannotBeUsed(
      String property, String problem, String action, CapturedOutput output) {
    assertThat(failure(output, App.class, property)).contains(problem, action);
  }

  @Test
  void anotherClientWithoutAnAddress(CapturedOutput output) {
    assertThat(
            failure(output, App.class, "holdfast.url=memory:", "holdfast.clients.reports.lease=9s"))
        .contains("holdfast.clients.reports.url is not set.", "Set it to the address of a store");
    assertThat(
            failure(output, App.class, "holdfast.url=memory:", "holdfast.clients.r.url=nosuch://h"))
        .contains("holdfast.clients.r.url=nosuch://h cannot be used", "holdfast.clients.r.url.");
  }

  @Test
  void failFastSaysWhichStoreDidNotReply(CapturedOutput output) {
    assertThat(
            failure(
                output,
                App.class,
                "holdfast.url=redis://u:s3cr3t@127.0.0.1:1",
                "holdfast.fail-fast=true"))
        .contains("127.0.0.1:1", "does not reply", "Start the store")
        .contains("with holdfast.fail-fast=false the application starts without it.");
  }

  @Test
  void methodsThatAreNotGuardedAreListed(CapturedOutput output) {
    assertThat(failure(output, Unguarded.class, "holdfast.url=memory:"))
        .contains("Holdfast cannot guard annotated methods of this application:")
        .contains("    - @Locked on " + Service.class.getName() + ".unknownClient: there is no")
        .contains("client \"nobody\"; there are [holdfast]")
        .contains(".unsetProperty, name: \"orders/${no.region}/{#id}\" has a property that is not")
        .contains(".fixed has no effect: the method is final")
        .contains("Correct these methods. With holdfast.locked.check=false");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "redis     | false | holdfast.url=redis://u:s3cr3t@db:1 | holdfast.url=redis://db:1 cannot be | io.holdfast:holdfast-redis",
        "redis     | false | holdfast.store=redis               | holdfast.store=redis needs io.holdf | io.holdfast:holdfast-redis",
        "zookeeper | false | holdfast.url=zookeeper://db        | holdfast.url=zookeeper://db cannot  | io.holdfast:holdfast-zookeeper",
        "etcd      | false | holdfast.url=etcd://db:2379        | holdfast.url=etcd://db:2379 cannot  | io.holdfast:holdfast-etcd",
        "jdbc      | false | holdfast.url=jdbc:h2:mem:x         | holdfast.url=jdbc:h2:... cannot be  | io.holdfast:holdfast-jdbc",
        "jdbc      | true  | holdfast.store=datasource          | holdfast.store=datasource needs io. | io.holdfast:holdfast-jdbc",
        "jdbc      | true  | holdfast.lanes=0                   | Holdfast has no store               | io.holdfast:holdfast-jdbc, for the store of the bean of type DataSource"
      })
  void aMissingEngineIsNamed(
      String engine,
      boolean source,
      String property,
      String problem,
      String dependency,
      CapturedOutput output)
      throws Exception {
    startWithout("holdfast-" + engine + "|engines." + engine, source, property);
    assertThat(report(output)).contains(problem, "dd the dependency " + dependency + ".");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "jedis                        | holdfast.url=redis://u:s3cr3t@db:1 | redis.clients:jedis",
        "lettuce-core                 | holdfast.store=redis               | io.lettuce:lettuce-core",
        "/zookeeper-[0-9]             | holdfast.url=zookeeper://db        | org.apache.zookeeper:zookeeper",
        "grpc                         | holdfast.url=etcd://db             | io.etcd:jetcd-grpc"
      })
  void aMissingLibraryOfAnEngineIsNamed(
      String jars, String property, String library, CapturedOutput output) throws Exception {
    startWithout(jars.trim(), false, property);
    assertThat(report(output)).contains("Add the dependency " + library + ".");
  }

  /** Starts an application on the class path of this test without some of it. */
  private static void startWithout(String parts, boolean source, String property) throws Exception {
    Pattern missing = Pattern.compile(parts);
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!missing.matcher(entry).find()) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      thread.setContextClassLoader(loader);
      Class.forName(Program.class.getName(), true, loader)
          .getMethod("start", boolean.class, String[].class)
          .invoke(null, source, new String[] {property});
    } catch (InvocationTargetException e) {
      assertThat(e.getCause()).isNotInstanceOf(AssertionError.class);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void everyEngineThatIsPublishedHasAModuleForItsSchemes() {
    List<String> schemes =
        ServiceLoader.load(EngineProvider.class).stream()
            .flatMap(each -> each.get().schemes().stream())
            .filter(scheme -> !scheme.equals("memory"))
            .toList();
    assertThat(schemes)
        .contains("redis", "jdbc", "zookeeper", "etcd")
        .allMatch(scheme -> EngineModules.of(scheme).isPresent());
  }
}
