package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ConnectionCountTest {

  private final Set<String> server = new HashSet<>();
  private final ConnectionCount count = new ConnectionCount(Optional.of(() -> server));

  @Test
  void what_came_in_its_turn_is_its_own() {
    server.add("other");
    count.begin();
    server.add("a");
    server.add("b");
    assertThat(count.look()).hasValue(2);

    server.add("another, between its turns");
    count.begin();
    assertThat(count.look()).hasValue(2);
    server.add("c");
    assertThat(count.look()).hasValue(3);
  }

  @Test
  void what_is_gone_does_not_count() {
    count.begin();
    server.add("a");
    server.add("b");
    assertThat(count.look()).hasValue(2);
    server.remove("a");
    assertThat(count.look()).hasValue(1);
    server.remove("b");
    count.begin();
    assertThat(count.look()).hasValue(0);
  }

  @Test
  void what_cannot_be_seen_is_not_counted_as_none() {
    ConnectionCount unknown = ConnectionCount.unknown();
    unknown.begin();
    assertThat(unknown.look()).isEmpty();
  }
}
