package io.holdfast.tck.faults;

import io.holdfast.memory.MemoryEngine;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineProvider.Settings;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import io.holdfast.tck.FaultyEngine;
import io.holdfast.tck.ManualTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;

/** A store in this process and in manual time, whose clients are stopped verb by verb. */
class MemoryFaultStore implements FaultStore {

  private static final AtomicLong STORES = new AtomicLong();

  private final String memory = "faults-" + STORES.incrementAndGet();
  private final ManualTime time;
  private final List<FaultyEngine> engines = new CopyOnWriteArrayList<>();
  private final MemoryEngine operators;
  private final BiFunction<LockEngine, Settings, LockEngine> change;

  MemoryFaultStore() {
    this(new ManualTime(), (engine, settings) -> engine);
  }

  /** A store whose engines are changed, or broken, by this function. */
  MemoryFaultStore(ManualTime time, BiFunction<LockEngine, Settings, LockEngine> change) {
    this.time = time;
    this.change = change;
    this.operators = open();
  }

  private MemoryEngine open() {
    return MemoryEngine.shared(memory, time::nanoTime, time::epochMicros);
  }

  @Override
  public Optional<ManualTime> time() {
    return Optional.of(time);
  }

  /** Each hold is a timer, and time stops at each timer. */
  @Override
  public int manyHolds() {
    return 200;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public LockEngine connect(Settings settings) {
    FaultyEngine engine = FaultyEngine.withLanes(open());
    engines.add(engine);
    return change.apply(engine, settings);
  }

  @Override
  public FaultClient start(ClientSpec spec) throws Exception {
    return LocalFaultClient.open(spec, time, this::connect);
  }

  @Override
  public void freeze() {
    engines.forEach(FaultyEngine::hang);
  }

  @Override
  public void resume() {
    engines.forEach(FaultyEngine::unhang);
  }

  @Override
  public void kill() {
    engines.forEach(FaultyEngine::cut);
  }

  @Override
  public void restart() {
    engines.forEach(FaultyEngine::heal);
  }

  /** The store itself. */
  @Override
  public List<? extends FaultServer> servers() {
    return List.of(new WholeStore());
  }

  @Override
  public List<String> leftovers(String namespace) throws Exception {
    return inspector().list(namespace, "", "", EngineInspector.MAX_PAGE).stream()
        .map(LineView::toString)
        .toList();
  }

  @Override
  public void deleteHeld(String namespace, String name) throws Exception {
    Resource resource = new Resource(namespace, name);
    // A holder that does not renew may have lost its record already.
    Optional<LineView> line = inspector().show(resource);
    if (line.isPresent() && !line.get().tickets().isEmpty()) {
      inspector().evict(resource, line.get().tickets().get(0).token(), "deleted by hand");
    }
  }

  private EngineInspector inspector() {
    return operators.inspector().orElseThrow();
  }

  @Override
  public void close() {
    operators.close();
  }

  /** The only server. */
  private final class WholeStore implements FaultServer {

    @Override
    public void freeze() {
      MemoryFaultStore.this.freeze();
    }

    @Override
    public void resume() {
      MemoryFaultStore.this.resume();
    }

    @Override
    public boolean isNeededFor(String namespace, String name) {
      return true;
    }
  }
}
