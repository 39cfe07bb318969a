package io.holdfast.benchmarks;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;

/** The ids of all connections of a Redis server but the one that asks. */
record RedisClients(RedisAddress address) implements Supplier<Set<String>> {

  private static final Pattern ID = Pattern.compile("(?m)^id=(\\d+) ");

  @Override
  public Set<String> get() {
    try (Connection connection = new Connection(address.host(), address.port())) {
      connection.sendCommand(Command.CLIENT, "ID");
      String self = String.valueOf(connection.getOne());
      connection.sendCommand(Command.CLIENT, "LIST");
      String all = new String((byte[]) connection.getOne(), StandardCharsets.UTF_8);
      return ID.matcher(all)
          .results()
          .map((MatchResult match) -> match.group(1))
          .filter(id -> !id.equals(self))
          .collect(Collectors.toSet());
    }
  }
}
