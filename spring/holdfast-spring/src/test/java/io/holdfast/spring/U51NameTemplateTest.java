package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
