package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.holdfast.rig.rules.EngineArchitecture;
import io.holdfast.rig.rules.SourceRules;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules of the house: who depends on whom and what is documented. */
class RedisArrowsTest {

  private static final EngineArchitecture HOUSE = EngineArchitecture.of(RedisEngine.class);
  private static final SourceRules SOURCES = SourceRules.ofThisModule();

  /** The clients that a program may supply; all their other types stay in the connections. */
  private static final Set<String> SUPPLIED =
      Set.of(
          "redis.clients.jedis.UnifiedJedis",
          "io.lettuce.core.RedisClient",
          "io.lettuce.core.cluster.RedisClusterClient");

  @Test
  void only_guards_know_more_of_the_core_than_its_spi() {
    assertThat(HOUSE.knowsMoreThanTheSpi()).isEmpty();
  }

  /**
   * The root wires the rooms, so no room uses it. {@link RedisOptions} is the exception: it is the
   * public type by which a program names servers, logins and TLS, and a copy would only be longer.
   */
  @Test
  void rooms_use_only_the_rooms_below_them() {
    requireArrows(".verbs", room("verbs|layout|signals|connection"));
    requireArrows(".signals", room("signals|layout|connection"));
    requireArrows(".admin", room("admin|layout|connection"));
    requireArrows(".redlock", room("redlock|layout|connection"));
    requireArrows(".connection", room("connection"));
    requireArrows(".layout", "\\.layout\\..*|\\.connection\\.ReplyWords");
  }

  private static void requireArrows(String part, String below) {
    assertThat(HOUSE.dependencies(type -> HOUSE.isOf(type, part))).as(part).isNotEmpty();
    assertThat(HOUSE.arrowsOut(part, below)).isEmpty();
  }

  private static String room(String names) {
    return "\\.(" + names + ")\\..*|\\.RedisOptions.*";
  }

  @Test
  void only_connections_use_client_libraries() {
    assertThat(
            EngineArchitecture.descriptions(
                HOUSE
                    .dependencies(type -> !isConnection(type))
                    .filter(RedisArrowsTest::isOfClient)
                    .filter(dependency -> !isSupplied(dependency))))
        .isEmpty();
    assertThat(HOUSE.dependencies(type -> isConnection(type)))
        .anyMatch(RedisArrowsTest::isOfClient);
  }

  private static boolean isConnection(JavaClass type) {
    return HOUSE.isOf(type, ".connection") || HOUSE.isOf(type, ".redlock");
  }

  private static boolean isOfClient(Dependency dependency) {
    String target = EngineArchitecture.target(dependency);
    return target.startsWith("redis.clients.") || target.startsWith("io.lettuce.");
  }

  private static boolean isSupplied(Dependency dependency) {
    return SUPPLIED.contains(EngineArchitecture.target(dependency))
        && dependency.getOriginClass().getModifiers().contains(JavaModifier.PUBLIC);
  }

  @Test
  void public_types_cannot_be_extended_and_are_documented() {
    assertThat(HOUSE.publicTypes()).hasSizeGreaterThan(10);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SOURCES.undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
