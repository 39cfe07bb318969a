package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** U51, rule 9: names are parsed at start, and a slot without a value fails the call. */
class U51NameTemplateTest {

  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
  private final HoldfastClients clients = new HoldfastClients(beans);

  record Order(long id, String region) {}

  /** Its signature is what templates refer to. */
  static class Service {
    String tenant = "t1";

    public String getTenant() {
      return tenant;
    }

    void call(Object id, Order order) {}
  }

  private static final Method CALL = method(Service.class, "call");

  private static Method method(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(each -> each.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static NameTemplate template(String source) {
    return new NameTemplate(source, CALL, "@Locked on Service.call");
  }

  private List<String> fill(String source, Object id) {
    return template(source).fill(new Service(), new Object[] {id, new Order(7, "eu")}, clients);
  }

  @ParameterizedTest
  @CsvSource({
    "report, report",
    "orders/{#id}, orders/42",
    "'{#order.region}/{#order.id()}', eu/7",
    "'{#id + 1}', 43",
    "'{#p0}-{#a1.id}', 42-7",
    "'{{{#id}}}', '{42}'",
    "'{#id > 0 ? \"}{\" : \"b\"}', '}{'",
    "'of {tenant}', of t1",
    "'{#root.tenant}', t1",
    "'#1 of {#id}', '#1 of 42'",
    "'{@regions.get(#order.region)}', Europe"
  })
  void fillsSlots(String source, String name) {
    beans.registerSingleton("regions", Map.of("eu", "Europe"));
    assertThat(fill(source, 42)).containsExactly(name);
  }

  @Test
  void aCollectionIsSeveralNames() {
    assertThat(fill("stock/{#id}", List.of("b", "a", "b"))).containsExactly("stock/b", "stock/a");
    assertThat(fill("stock/{#id}", new int[] {3, 1})).containsExactly("stock/3", "stock/1");
    assertThat(fill("{#id}/{#id}", List.of(1, 2))).containsExactly("1/1", "1/2", "2/1", "2/2");
  }

  @Test
  void theTagHasEmptySlots() {
    assertThat(template("orders/{#id}/{#order.region}").tag()).isEqualTo("orders/{}/{}");
    assertThat(template("report").tag()).isEqualTo("report");
  }

  @Test
  void nothingToFillASlotWithFailsTheCall() {
    for (Object nothing :
        new Object[] {null, "", " ", Optional.empty(), List.of(), Arrays.asList("a", null)}) {
      assertThatThrownBy(() -> fill("orders/{#id}", nothing))
          .as(String.valueOf(nothing))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("orders/{#id}")
          .hasMessageContaining("{#id} is ")
          .hasMessageContaining("shared by all");
    }
    assertThat(fill("orders/{#id}", Optional.of(5))).containsExactly("orders/5");
  }

  /** Has the toString() of Object. */
  static class Parcel {
    private final Object content;

    Parcel(Object content) {
      this.content = content;
    }

    @Override
    public int hashCode() {
      return 7;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Parcel parcel && content.equals(parcel.content);
    }
  }

  /** As a proxy of JPA. */
  static final class ParcelProxy extends Parcel {
    private final Parcel original = new Parcel("b");

    ParcelProxy() {
      super("a");
    }

    @Override
    public String toString() {
      return original.toString();
    }
  }

  static final class Named extends Parcel {
    Named() {
      super("x");
    }

    @Override
    public String toString() {
      return "named";
    }
  }

  record Range(long from, Object to) {}

  record Price(double amount) {
    @Override
    public String toString() {
      return "price";
    }
  }

  static Stream<Object> valuesWithOneText() {
    return Stream.of(
        "a@b",
        'c',
        true,
        (byte) 1,
        7L,
        new BigInteger("12345678901234567890"),
        new BigDecimal("1.50"),
        Thread.State.NEW,
        new UUID(1, 2),
        URI.create("urn:a"),
        Locale.GERMANY,
        LocalDate.of(2026, 11, 19),
        Instant.EPOCH,
        ZoneId.of("Europe/Berlin"),
        Duration.ofSeconds(5),
        Year.of(2026),
        Path.of("a", "b"),
        new AtomicLong(3),
        CharBuffer.wrap("text"),
        new Order(7, "eu"),
        new Range(1, "b"),
        new Range(1, new Named()),
        new Range(1, List.of("b", 2)),
        new Price(0.1),
        new Named());
  }

  @ParameterizedTest
  @MethodSource("valuesWithOneText")
  void aValueWithOneTextFillsASlot(Object value) {
    assertThat(fill("x/{#id}", value)).containsExactly("x/" + value);
  }

  static Stream<Arguments> valuesWithSeveralTexts() {
    return Stream.of(
        Arguments.of(new Parcel("a"), "Parcel, whose toString() is that of Object"),
        Arguments.of(new ParcelProxy(), "ParcelProxy, whose toString() is that of Object"),
        Arguments.of(new CompletableFuture<>(), "CompletableFuture, whose toString()"),
        Arguments.of((Runnable) () -> {}, "whose toString() is that of Object"),
        Arguments.of(List.of(new Parcel("a")), "Parcel, whose toString() is that of Object"),
        Arguments.of(Optional.of(new Parcel("a")), "Parcel, whose toString() is that of Object"),
        Arguments.of(new Object[] {new int[] {1}}, "int[], whose text is not the same"),
        Arguments.of(List.of(Set.of(1, 2)), "whose text is not the same"),
        Arguments.of(Optional.of(List.of(1)), "whose text is not the same"),
        Arguments.of(Map.of("a", 1), "whose text is not the same"),
        Arguments.of(1.5, "java.lang.Double, whose text depends on the version of Java"),
        Arguments.of(1.5f, "java.lang.Float, whose text depends on the version of Java"),
        Arguments.of(Double.NaN, "java.lang.Double, whose text depends on the version of Java"),
        Arguments.of(
            Date.from(Instant.EPOCH), "java.util.Date, whose text depends on the time zone"),
        Arguments.of(new java.sql.Timestamp(0), "Timestamp, whose text depends on the time zone"),
        Arguments.of(InetAddress.getLoopbackAddress(), "whose text depends on earlier look-ups"),
        Arguments.of(new Range(1, new Parcel("a")), "Range, with the component to, which is of"),
        Arguments.of(new Range(1, List.of("b", new Parcel("a"))), "which is of type"),
        Arguments.of(new Range(1, Set.of("b", "c")), "whose text is not the same"),
        Arguments.of(new Range(1, new int[] {1}), "which is of type int[]"),
        Arguments.of(new Range(1, new Range(2, 0.5)), "which is of type java.lang.Double"));
  }

  /** Each process would take a lock of its own. */
  @ParameterizedTest
  @MethodSource("valuesWithSeveralTexts")
  void aValueWhoseTextMayDifferFailsTheCall(Object value, String message) {
    assertThatThrownBy(() -> fill("orders/{#id}", value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("@Locked on Service.call: no lock for the name \"orders/{#id}\"")
        .hasMessageContaining("{#id} is of type ")
        .hasMessageContaining(message)
        .hasMessageNotContaining("shared by all");
  }

  @Test
  void anOptionalNumberIsItsContent() {
    assertThat(fill("x/{#id}", OptionalInt.of(5))).containsExactly("x/5");
    assertThat(fill("x/{#id}", OptionalLong.of(6))).containsExactly("x/6");
    assertThatThrownBy(() -> fill("x/{#id}", OptionalLong.empty())).hasMessageContaining("is null");
  }

  @Test
  void aFailingExpressionFailsTheCall() {
    assertThatThrownBy(() -> fill("{#order.missing}", 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("@Locked on Service.call")
        .hasMessageContaining("missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''               | has no name",
        "'  '             | has no name",
        "orders/{#id      | { without a }",
        "orders/{}        | is not an expression",
        "orders/{#id +}   | is not an expression",
        "orders/#{#id}    | slots are written {#argument}",
        "orders/${region} | a property that is not set",
        "orders/#id       | #id outside of a slot",
        "orders/{#oder}   | #oder in the name \"orders/{#oder}\" is not an argument",
        "{#order.f(#oder)} | #oder in the name",
        "{#p2}            | #p2 in the name"
      })
  void whatCannotBeANameFailsTheStart(String source, String message) {
    assertThatThrownBy(() -> template(source))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("@Locked on Service.call")
        .hasMessageContaining(message);
  }

  /** The JDK is compiled without {@code -parameters}. */
  @Test
  void missingParameterNamesAreNamedAsTheCause() throws Exception {
    Method compiledWithout = Set.class.getMethod("contains", Object.class);
    assertThatThrownBy(() -> new NameTemplate("{#o}", compiledWithout, "here"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("compile with -parameters");
    NameTemplate byPosition = new NameTemplate("{#p0}", compiledWithout, "here");
    assertThat(byPosition.fill(Set.of(), new Object[] {5}, clients)).containsExactly("5");
  }
}
