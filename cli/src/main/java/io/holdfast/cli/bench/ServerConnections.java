package io.holdfast.cli.bench;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import redis.clients.jedis.Protocol.Command;

/** Lists the client connections of a server, without the connection that asks. */
public final class ServerConnections {

  private static final Pattern REDIS_ID = Pattern.compile("(?m)^id=(\\d+) ");

  private static final String POSTGRES =
      "select pid from pg_stat_activity"
          + " where backend_type = 'client backend' and pid <> pg_backend_pid()";

  private static final String MARIADB =
      "select id from information_schema.processlist"
          + " where id <> connection_id() and command <> 'Daemon'";

  private ServerConnections() {}

  /** Returns a query for the ids of all connections, or empty if the store cannot list them. */
  public static Optional<Supplier<Set<String>>> at(String uri) {
    Optional<RedisAddress> redis = RedisAddress.of(uri);
    if (redis.isPresent()) {
      return Optional.of(() -> redis(redis.get()));
    }
    return DatabaseAddress.of(uri).map(database -> () -> database(database));
  }

  private static Set<String> redis(RedisAddress address) {
    try (redis.clients.jedis.Connection connection =
        new redis.clients.jedis.Connection(address.host(), address.port())) {
      connection.sendCommand(Command.CLIENT, "ID");
      String self = String.valueOf(connection.getOne());
      connection.sendCommand(Command.CLIENT, "LIST");
      String all = new String((byte[]) connection.getOne(), StandardCharsets.UTF_8);
      return REDIS_ID
          .matcher(all)
          .results()
          .map((MatchResult match) -> match.group(1))
          .filter(id -> !id.equals(self))
          .collect(Collectors.toSet());
    }
  }

  private static Set<String> database(DatabaseAddress database) {
    try (Connection connection = DriverManager.getConnection(database.url());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(database.isPostgres() ? POSTGRES : MARIADB)) {
      Set<String> ids = new HashSet<>();
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
      return ids;
    } catch (SQLException e) {
      throw new IllegalStateException("cannot count the connections at " + database, e);
    }
  }
}
