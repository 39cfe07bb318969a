package io.holdfast.examples.demo;

import io.holdfast.World;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Who and what is in the story. */
final class Stage implements AutoCloseable {

  private static final List<String> NAMES = List.of("ada", "ben", "cat", "dan");

  final Referee referee = new Referee();
  final Jar guarded = Jar.guarded();
  final Jar unguarded = Jar.unguarded();
  final Timeline timeline;
  final LeaseWatch watch;
  final List<Machine> machines = new ArrayList<>();

  private final Look look;
  private final Place place;
  private final AtomicLong lastToken = new AtomicLong();

  /** Connects all machines. */
  Stage(Screen screen, Look look, Place place) {
    this.look = look;
    this.place = place;
    this.timeline = new Timeline(screen, look, NAMES);
    this.watch = new LeaseWatch(timeline, World.system());
    for (String name : NAMES) {
      machines.add(new Machine(name, machines.size(), referee::hear, place));
    }
  }

  Machine machine(String name) {
    return machines.get(NAMES.indexOf(name));
  }

  /** What an operator sees of the store. */
  List<EngineInspector.LineView> lines() throws EngineException {
    return place.lines(machines.get(0).holdfast());
  }

  /** Where it happens, in words. */
  String where() {
    return place.uri().isPresent() ? Place.shown(machines.get(0).holdfast()) : "no server";
  }

  /** Remembers a token and answers the one before. */
  long lastToken(long token) {
    return lastToken.getAndSet(token);
  }

  /** The end of a token that has many digits; the rest stays the same in so short a time. */
  String shown(long token) {
    return look.shortened(token);
  }

  /** The same for tokens that are new. */
  String strong(long token) {
    return look.paint(Look.Paint.BOLD, shown(token));
  }

  @Override
  public void close() {
    watch.close();
    machines.forEach(Machine::close);
  }
}
