package io.holdfast.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.rig.servers.MonitoredCommand;
import io.holdfast.rig.servers.RedisMonitor;
import io.holdfast.rig.servers.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** U45: nothing that we send leaves our own part of the server. */
class U45KeysIT {

  private static final String OURS = "{hf:";
  private static final Set<String> WITHOUT_KEYS =
      Set.of("INFO", "PING", "CLIENT", "TIME", "ECHO", "COMMAND", "SUBSCRIBE", "PUBLISH", "SCAN");
  private static final Set<String> CHANNELS = Set.of("SUBSCRIBE", "PUBLISH");

  @Test
  void every_key_and_channel_begins_with_our_prefix() throws Exception {
    try (RedisServer server = RedisServer.start();
        RedisMonitor monitor = RedisMonitor.of(server)) {
      EveryFeature.at(server.uri());
      programs(server.uri());
      List<MonitoredCommand> seen = monitor.commands();
      Set<String> commands = new TreeSet<>();
      for (MonitoredCommand command : seen) {
        commands.add(command.name());
        assertThat(keys(server, command)).as("%s", command).allMatch(key -> key.startsWith(OURS));
      }
      assertThat(commands).contains("EVALSHA", "SUBSCRIBE", "PUBLISH", "SCAN", "ZADD", "SET");
      System.out.println("U45: " + seen.size() + " commands of " + commands.size() + " kinds");
    }
  }

  /** Strange names must not lead out of it either. */
  private static void programs(String uri) throws Exception {
    try (Holdfast holdfast = Holdfast.connect(uri)) {
      for (String name : List.of("}{other}", "a b", "* ?", "\u00e4\u4e2d", "x:y DEL z")) {
        try (Hold hold = holdfast.lock(name).acquire(Duration.ofSeconds(5))) {
          assertThat(hold.isHeld()).isTrue();
        }
      }
    }
  }

  /** The server itself says which words of a command are keys. */
  private static List<String> keys(RedisServer server, MonitoredCommand command) {
    List<String> words = command.words();
    if (CHANNELS.contains(command.name())) {
      return command.name().equals("PUBLISH")
          ? words.subList(1, 2)
          : words.subList(1, words.size());
    }
    if (command.name().equals("SCAN")) {
      return List.of(words.get(words.indexOf("MATCH") + 1));
    }
    List<String> asked = new ArrayList<>(List.of("COMMAND", "GETKEYS"));
    asked.addAll(words);
    try {
      return server.call(asked.toArray(String[]::new)).lines().toList();
    } catch (UncheckedIOException e) {
      assertThat(WITHOUT_KEYS).as("%s: %s", command, e.getCause()).contains(command.name());
      return List.of();
    }
  }
}
