package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.holdfast.rig.EngineHouse;
import io.holdfast.rig.SourceRules;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules of the house: who depends on whom and what is documented. */
class RedisArrowsTest {

  private static final EngineHouse HOUSE = EngineHouse.of(RedisEngine.class);
  private static final SourceRules SOURCES = SourceRules.ofThisModule();

  /** What a program may hand in; everything else of a client stays behind the wire. */
  private static final Set<String> HANDED_IN =
      Set.of("redis.clients.jedis.UnifiedJedis", "io.lettuce.core.RedisClient");

  @Test
  void only_guards_know_more_of_the_core_than_its_spi() {
    assertThat(HOUSE.knowsMoreThanTheSpi()).isEmpty();
  }

  @Test
  void the_wire_knows_nothing_of_the_engine_but_its_options() {
    assertThat(HOUSE.arrowsOut(".wire", "\\.wire\\..*|\\.RedisOptions.*")).isEmpty();
  }

  @Test
  void clients_of_redis_stay_behind_the_wire() {
    assertThat(
            EngineHouse.descriptions(
                HOUSE
                    .dependencies(type -> !HOUSE.isOf(type, ".wire"))
                    .filter(RedisArrowsTest::isOfClient)
                    .filter(dependency -> !isHandedIn(dependency))))
        .isEmpty();
    assertThat(HOUSE.dependencies(type -> HOUSE.isOf(type, ".wire")))
        .anyMatch(RedisArrowsTest::isOfClient);
  }

  private static boolean isOfClient(Dependency dependency) {
    String target = EngineHouse.target(dependency);
    return target.startsWith("redis.clients.") || target.startsWith("io.lettuce.");
  }

  private static boolean isHandedIn(Dependency dependency) {
    return HANDED_IN.contains(EngineHouse.target(dependency))
        && dependency.getOriginClass().getModifiers().contains(JavaModifier.PUBLIC);
  }

  @Test
  void public_types_cannot_be_extended_and_are_documented() {
    assertThat(HOUSE.publicTypes()).hasSizeGreaterThan(10);
    assertThat(HOUSE.open()).isEmpty();
    assertThat(SOURCES.undocumented(HOUSE.publicTypes())).isEmpty();
  }
}
