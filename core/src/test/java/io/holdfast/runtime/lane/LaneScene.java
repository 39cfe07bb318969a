package io.holdfast.runtime.lane;

import io.holdfast.Gate;
import io.holdfast.RecordedAnswer;
import io.holdfast.ScriptedEngine;
import io.holdfast.TestWorld;
import io.holdfast.Tickets;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Verb;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One lane over a scripted engine in a world whose time stands still. */
public final class LaneScene {

  static final Duration TIMEOUT = Duration.ofSeconds(2);

  public final TestWorld world = new TestWorld();
  public final ScriptedEngine engine;
  final LaneThread lane;
  public final List<String> replaced = new CopyOnWriteArrayList<>();

  public LaneScene() {
    this(100);
  }

  LaneScene(int batch) {
    engine = ScriptedEngine.on(world).blocking(1, batch);
    lane = new LaneThread(engine, world, new LaneWatchdog(world), "lane", TIMEOUT.toNanos());
    lane.onReplaced(replaced::add);
  }

  /** Sends an attempt that hangs; what is sent next waits behind it. */
  public Gate hang(RecordedAnswer<Standing> noted) {
    return hang(Gate.beforeEffect(), noted);
  }

  Gate hang(Gate gate, RecordedAnswer<Standing> noted) {
    engine.script(call -> call.name().equals("hung"), gate, 1);
    lane.submit(Tickets.attempt("hung", noted));
    return gate.awaitEntered();
  }

  public RecordedAnswer<Standing> attempt(String name) {
    RecordedAnswer<Standing> noted = new RecordedAnswer<>();
    lane.submit(Tickets.attempt(name, noted));
    return noted;
  }

  /** Lets the operation timeout pass, and the time until the next look. */
  public void timeOut() {
    world.advance(TIMEOUT.plus(TIMEOUT.dividedBy(4)));
  }

  /** The names in a batch, in order. */
  static List<String> names(List<Verb> batch) {
    return batch.stream().map(verb -> verb.ticket().resource().name()).toList();
  }
}
