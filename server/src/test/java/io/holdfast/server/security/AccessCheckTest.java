package io.holdfast.server.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.Order;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AccessCheckTest {

  private static final AuthFile FILE =
      AuthFile.parse(
          """
          allow CN=locker   lock     default orders/*
          allow CN=looker   look     default orders/*
          allow CN=operator operate  default orders/*
          allow CN=counter  count    default orders/*
          allow CN=chief    operate  default *
          allow CN=root     all      *       *
          allow CN=elsewhere all     other   *
          allow CN=one      all      default orders/42
          """);

  private static final List<String> PRINCIPALS =
      List.of(
          "locker", "looker", "operator", "counter", "chief", "root", "elsewhere", "one", "nobody");

  private static final Set<String> LOCKERS = Set.of("locker", "root", "one");
  private static final Set<String> LOOKERS = Set.of("looker", "root", "one");
  private static final Set<String> OPERATORS = Set.of("operator", "chief", "root", "one");
  private static final Set<String> COUNTERS = Set.of("counter", "root", "one");
  private static final Set<String> LOOK_ANYWHERE = Set.of("looker", "root", "one", "elsewhere");
  private static final Set<String> ALL = Set.copyOf(PRINCIPALS);

  private static Principal principal(String name) {
    return FILE.principal(new X500Principal("CN=" + name));
  }

  /** Who may do what with the name orders/42 in the namespace default. Written down by hand. */
  private static Map<Call, Set<String>> matrix() {
    Map<Call, Set<String>> matrix = new EnumMap<>(Call.class);
    matrix.put(Call.ATTEMPT, LOCKERS);
    matrix.put(Call.RENEW, LOCKERS);
    matrix.put(Call.LEAVE, LOCKERS);
    matrix.put(Call.SETTLE, LOCKERS);
    matrix.put(Call.RESIZE, LOCKERS);
    matrix.put(Call.RAISE_GENERATION, Set.of("chief", "root"));
    matrix.put(Call.ACQUIRE, LOCKERS);
    matrix.put(Call.RENEW_TICKETS, LOCKERS);
    matrix.put(Call.RELEASE_TICKETS, ALL);
    matrix.put(Call.LIST_LOCKS, LOOKERS);
    matrix.put(Call.SHOW_LOCK, LOOKERS);
    matrix.put(Call.REVOKE, OPERATORS);
    matrix.put(Call.EVICT, OPERATORS);
    matrix.put(Call.TAKE, COUNTERS);
    matrix.put(Call.GIVE_BACK, COUNTERS);
    matrix.put(Call.AUDIT, LOOK_ANYWHERE);
    matrix.put(Call.STORE, LOOK_ANYWHERE);
    return matrix;
  }

  @Test
  @DisplayName("the rights matrix: every call and every kind of principal")
  void rightsMatrix() {
    Map<Call, Set<String>> matrix = matrix();
    assertThat(matrix).containsOnlyKeys(Call.values());
    Map<String, String> wrong = new LinkedHashMap<>();
    matrix.forEach(
        (call, allowed) -> {
          for (String name : PRINCIPALS) {
            Optional<Refusal> refusal =
                AccessCheck.check(principal(name), call, "default", "orders/42");
            if (refusal.isEmpty() != allowed.contains(name)) {
              wrong.put(call + " of " + name, refusal.toString());
            }
            refusal.ifPresent(each -> assertThat(each.status()).isEqualTo(403));
          }
        });
    assertThat(wrong).isEmpty();
  }

  @Test
  @DisplayName("the one local principal may do everything")
  void local() {
    for (Call call : Call.values()) {
      assertThat(AccessCheck.check(Principal.LOCAL, call, "default", "x")).isEmpty();
    }
  }

  @Test
  @DisplayName("a call with a name is not checked without it")
  void nameNeeded() {
    assertThatThrownBy(() -> AccessCheck.check(principal("root"), Call.EVICT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(AccessCheck.check(principal("nobody"), Call.AUDIT)).isPresent();
    assertThat(AccessCheck.check(principal("looker"), Call.AUDIT)).isEmpty();
  }

  @Test
  @DisplayName("a listing is allowed if any of it can be seen, and then filtered")
  void listings() {
    Principal looker = principal("looker");
    Principal one = principal("one");

    for (String prefix : List.of("", "ord", "orders/", "orders/4")) {
      assertThat(AccessCheck.check(looker, Call.LIST_LOCKS, "default", prefix)).isEmpty();
      assertThat(AccessCheck.check(one, Call.LIST_LOCKS, "default", prefix)).isEmpty();
    }
    assertThat(AccessCheck.check(one, Call.LIST_LOCKS, "default", "orders/421")).isPresent();
    assertThat(AccessCheck.check(looker, Call.LIST_LOCKS, "default", "stock/")).isPresent();
    assertThat(AccessCheck.check(looker, Call.LIST_LOCKS, "other", "")).isPresent();

    assertThat(AccessCheck.visible(looker)).accepts(new Resource("default", "orders/1"));
    assertThat(AccessCheck.visible(looker)).rejects(new Resource("default", "stock/1"));
    assertThat(AccessCheck.visible(looker)).rejects(new Resource("other", "orders/1"));
    assertThat(AccessCheck.visible(one)).rejects(new Resource("default", "orders/421"));
  }

  @Test
  @DisplayName("a higher generation than the server's needs the operator's right on the namespace")
  void generation() {
    Principal locker = principal("locker");
    Principal both =
        AuthFile.parse("allow CN=both lock default orders/*\nallow CN=both operate default *")
            .principal(new X500Principal("CN=both"));

    assertThat(AccessCheck.check(locker, Call.ATTEMPT, ticket(3), 3)).isEmpty();
    assertThat(AccessCheck.check(locker, Call.ATTEMPT, ticket(2), 3)).isEmpty();
    assertThat(AccessCheck.check(locker, Call.ATTEMPT, ticket(127), 3).orElseThrow().detail())
        .contains("operate");
    assertThat(AccessCheck.check(both, Call.ATTEMPT, ticket(127), 3)).isEmpty();
    assertThat(AccessCheck.check(principal("chief"), Call.ATTEMPT, ticket(127), 3))
        .map(Refusal::detail)
        .hasValueSatisfying(detail -> assertThat(detail).contains("lock on"));
  }

  private static Ticket ticket(int generation) {
    return new Ticket(
        new Ticket.Id(1, 2, 3),
        new Resource("default", "orders/42"),
        Shape.mutex(Order.ANY),
        1,
        Duration.ofSeconds(30),
        generation,
        /* waits= */ true,
        new Owner("", "h", 1, "t", ""));
  }

  @Test
  @DisplayName("a refusal names the principal, the right and the lock, and is safe to log")
  void detail() {
    Refusal refusal =
        AccessCheck.check(principal("looker"), Right.LOCK, "default", "a\nb\u202e").orElseThrow();

    assertThat(refusal.detail())
        .isEqualTo(
            "principal \"CN=looker\" does not have the right lock on \"a\\u000ab\\u202e\" in"
                + " namespace \"default\"; the auth file of the server gives rights");
  }

  @Test
  @DisplayName("the principal is the beginning of the owner's text, and cannot be forged")
  void owner() {
    Principal looker = principal("looker");
    Owner signed = looker.sign(new Owner("app", "h", 7, "main", "principal CN=root"));

    assertThat(signed)
        .isEqualTo(new Owner("app", "h", 7, "main", "principal CN=looker; principal CN=root"));
    assertThat(looker.sign(signed)).isEqualTo(signed);
    assertThat(looker.sign(new Owner("", "h", 7, "main", "")).text())
        .isEqualTo("principal CN=looker");
    assertThat(looker.sign(new Owner("", "h", 7, "main", "principal CN=looker2")).text())
        .isEqualTo("principal CN=looker; principal CN=looker2");
    Owner plain = new Owner("", "h", 7, "main", "mine");
    assertThat(Principal.LOCAL.sign(plain)).isEqualTo(plain);
  }
}
