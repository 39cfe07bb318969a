package io.holdfast.redis.wire;

import io.holdfast.redis.RedisOptions.Login;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.JedisClientConfig;

/**
 * How Jedis logs in. Timeouts are set for each socket, and no HELLO is sent: it costs one more
 * trip, and RESP2 is spoken without it. Written by hand because the builder differs from Jedis 6 to
 * 8.
 */
final class LoginConfig implements JedisClientConfig {

  private static final String CLIENT_NAME = "holdfast";

  private final Login login;
  private final int database;

  LoginConfig(Login login, int database) {
    this.login = login;
    this.database = database;
  }

  @Override
  @SuppressWarnings("NullAway") // Jedis does not say so, but null means no user.
  public @Nullable String getUser() {
    return login.user().isEmpty() ? null : login.user();
  }

  @Override
  @SuppressWarnings("NullAway") // As above.
  public @Nullable String getPassword() {
    return login.password().isEmpty() ? null : login.password();
  }

  @Override
  public int getDatabase() {
    return database;
  }

  @Override
  public String getClientName() {
    return CLIENT_NAME;
  }

  @Override
  public ClientSetInfoConfig getClientSetInfoConfig() {
    return ClientSetInfoConfig.DISABLED;
  }

  /** Unknown to Jedis before 8, which says no HELLO unless it is told to. */
  @Override
  public boolean isAutoNegotiateProtocol() {
    return false;
  }

  @Override
  public String toString() {
    return "login " + login + ", database " + database;
  }
}
