package io.holdfast.cli.demo;

import io.holdfast.World;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The machines, counters and observers of the demo. */
final class DemoSetup implements AutoCloseable {

  private static final List<String> NAMES = List.of("ada", "ben", "cat", "dan");

  final OverlapChecker checker = new OverlapChecker();
  final SharedCounter guarded = SharedCounter.guarded();
  final SharedCounter unguarded = SharedCounter.unguarded();
  final Timeline timeline;
  final LeaseDisplay watch;
  final List<DemoMachine> machines = new ArrayList<>();

  private final DemoStyle look;
  private final DemoStore place;
  private final AtomicLong lastToken = new AtomicLong();

  /** Connects all machines. */
  DemoSetup(DemoScreen screen, DemoStyle look, DemoStore place) {
    this.look = look;
    this.place = place;
    this.timeline = new Timeline(screen, look, NAMES);
    this.watch = new LeaseDisplay(timeline, World.system());
    for (String name : NAMES) {
      machines.add(new DemoMachine(name, machines.size(), checker::hear, place));
    }
  }

  DemoMachine machine(String name) {
    return machines.get(NAMES.indexOf(name));
  }

  /** What an operator sees of the store. */
  List<EngineInspector.LineView> lines() throws EngineException {
    return place.lines(machines.get(0).holdfast());
  }

  /** Where it happens, in words. */
  String where() {
    return place.uri().isPresent() ? DemoStore.shown(machines.get(0).holdfast()) : "no server";
  }

  /** Stores a token and returns the previous one. */
  long lastToken(long token) {
    return lastToken.getAndSet(token);
  }

  /** The end of a token that has many digits; the rest stays the same in so short a time. */
  String shown(long token) {
    return look.shortened(token);
  }

  /** The same for tokens that are new. */
  String strong(long token) {
    return look.paint(DemoStyle.Paint.BOLD, shown(token));
  }

  @Override
  public void close() {
    watch.close();
    machines.forEach(DemoMachine::close);
  }
}
