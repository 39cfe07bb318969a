package io.holdfast;

import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One lane over a scripted engine in a world whose time stands still. */
final class LaneScene {

  static final Duration TIMEOUT = Duration.ofSeconds(2);

  final TestWorld world = new TestWorld();
  final ScriptedEngine engine;
  final LaneThread lane;
  final List<String> replaced = new CopyOnWriteArrayList<>();

  LaneScene() {
    this(100);
  }

  LaneScene(int batch) {
    engine = ScriptedEngine.on(world).blocking(1, batch);
    lane = new LaneThread(engine, world, new LaneWatch(world), "lane", TIMEOUT.toNanos());
    lane.onReplaced(replaced::add);
  }

  /** Sends an attempt that hangs; what is sent next waits behind it. */
  Gate hang(Noted<Standing> noted) {
    return hang(Gate.beforeEffect(), noted);
  }

  Gate hang(Gate gate, Noted<Standing> noted) {
    engine.script(call -> call.name().equals("hung"), gate, 1);
    lane.submit(Tickets.attempt("hung", noted));
    return gate.awaitEntered();
  }

  Noted<Standing> attempt(String name) {
    Noted<Standing> noted = new Noted<>();
    lane.submit(Tickets.attempt(name, noted));
    return noted;
  }

  /** Lets the operation timeout pass, and the time until the next look. */
  void timeOut() {
    world.advance(TIMEOUT.plus(TIMEOUT.dividedBy(4)));
  }

  /** The names in a batch, in order. */
  static List<String> names(List<Verb> batch) {
    return batch.stream().map(verb -> verb.ticket().resource().name()).toList();
  }
}
