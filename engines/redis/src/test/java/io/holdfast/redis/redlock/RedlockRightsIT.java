package io.holdfast.redis.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.redis.RedisOptions;
import io.holdfast.redis.RedlockEngine;
import io.holdfast.rig.servers.RedisMasters;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Left;
import io.holdfast.spi.Renewal;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rights that docs/engines/redlock.md lists are enough, and what is missing is said. */
@Timeout(60)
class RedlockRightsIT {

  private static final String[] RIGHTS = {
    "~{hf:*",
    "+info",
    "+eval",
    "+evalsha",
    "+script|load",
    "+time",
    "+get",
    "+set",
    "+del",
    "+hset",
    "+hmget",
    "+pexpire",
    "+pttl",
    "+client|setname"
  };

  @Test
  @DisplayName("a user with the listed rights can do all there is")
  void enough() throws Exception {
    try (RedisMasters masters = masters(RIGHTS)) {
      RedlockEngine.init(options(masters, "right"));
      works(masters);
    }
  }

  @Test
  @DisplayName("a user that may not load scripts sends them in full")
  void withoutLoading() throws Exception {
    String[] fewer =
        Arrays.stream(RIGHTS).filter(right -> !right.contains("load")).toArray(String[]::new);
    try (RedisMasters masters = masters(fewer)) {
      RedlockEngine.init(options(masters, "right"));
      works(masters);
    }
  }

  @Test
  @DisplayName("a wrong password is refused at once, and not told")
  void wrongPassword() throws Exception {
    try (RedisMasters masters = masters(RIGHTS);
        Contender a = contender(masters, "wr0ng")) {
      assertThatThrownBy(() -> a.attempt(a.ticket("rights")))
          .isInstanceOf(EngineException.Refused.class)
          .hasMessageContaining("check user and password")
          .hasMessageNotContaining("wr0ng");
    }
  }

  private static void works(RedisMasters masters) throws EngineException {
    try (Contender a = contender(masters, "right");
        Contender b = contender(masters, "right")) {
      Ticket ticket = a.ticket("rights");
      long token = a.in(ticket);
      b.attempt(b.ticket("rights"));
      assertThat(a.renew(ticket)).isInstanceOf(Renewal.Renewed.class);
      assertThat(a.leave(ticket)).isEqualTo(Left.HOLDING);
      assertThat(b.in(b.ticket("rights"))).isGreaterThan(token);
    }
  }

  private static RedisMasters masters(String... rights) {
    return RedisMasters.start(
        3, io.holdfast.rig.servers.RedisServerOptions.PLAIN.withUser("app", "right", rights));
  }

  private static RedisOptions options(RedisMasters masters, String password) {
    return Redlocks.options(masters).withLogin("app", password);
  }

  private static Contender contender(RedisMasters masters, String password) throws EngineException {
    RedisOptions options = options(masters, password).withNodeTimeout(Duration.ofMillis(200));
    return new Contender("a", Redlocks.open(options), Duration.ofSeconds(10));
  }
}
