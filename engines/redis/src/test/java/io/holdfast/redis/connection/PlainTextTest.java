package io.holdfast.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;

class PlainTextTest {

  @Test
  void aCauseThatTheDriverPassesOnIsSaidInItsOwnWords() {
    SocketTimeoutException cause = new SocketTimeoutException("Read timed out");
    assertThat(PlainText.of(new JedisConnectionException(cause))).isEqualTo("Read timed out");
  }

  @Test
  void wordsOfTheDriverStay() {
    Throwable thrown = new JedisConnectionException("no sockets left", new Exception("why"));
    assertThat(PlainText.of(thrown)).isEqualTo("no sockets left");
    assertThat(PlainText.of(null)).isEmpty();
  }

  @Test
  void aHostThatIsNotThereIsSaidToBeSo() {
    Throwable thrown = new JedisConnectionException(new UnknownHostException("db"));
    assertThat(PlainText.of(thrown)).isEqualTo("no such host: db");
  }
}
