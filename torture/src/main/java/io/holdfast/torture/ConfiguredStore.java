package io.holdfast.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A store under test, with its faults and known limits. */
final class ConfiguredStore implements StoreUnderTest {
  private final String uri;
  private final Runnable closing;
  private final List<StoreFault> faults = new ArrayList<>();
  private final List<KnownLimit> known = new ArrayList<>();
  private List<Integer> ports;
  private boolean portsAreInUri = true;
  private Duration quiet = Duration.ZERO;

  ConfiguredStore(String uri, List<Integer> ports, Runnable closing) {
    this.uri = uri;
    this.ports = List.copyOf(ports);
    this.closing = closing;
  }

  /** A store that the program did not start, without server faults. */
  static ConfiguredStore given(String uri) {
    return new ConfiguredStore(uri, List.of(), () -> {});
  }

  ConfiguredStore with(StoreFault fault) {
    faults.add(fault);
    return this;
  }

  ConfiguredStore withPorts(List<Integer> all, boolean inUri) {
    ports = List.copyOf(all);
    portsAreInUri = inUri;
    return this;
  }

  ConfiguredStore withQuiet(Duration time) {
    quiet = time;
    return this;
  }

  /**
   * With faults that are known to break exclusion if they last for so many leases, until a lease
   * after their end.
   */
  ConfiguredStore withKnown(double leases, FaultKind... kinds) {
    for (FaultKind kind : kinds) {
      known.add(KnownLimit.after(kind, leases, 1));
    }
    return this;
  }

  /**
   * With a fault that is known to break exclusion until so many seconds after its end, and until
   * the store is whole again for workers that were stopped or hard to reach.
   */
  ConfiguredStore withKnownAnnounced(FaultKind kind, double secondsAfter) {
    known.add(KnownLimit.announced(kind, secondsAfter));
    return this;
  }

  @Override
  public String uri() {
    return uri;
  }

  @Override
  public List<Integer> ports() {
    return ports;
  }

  @Override
  public boolean portsAreInUri() {
    return portsAreInUri;
  }

  @Override
  public List<StoreFault> faults() {
    return List.copyOf(faults);
  }

  @Override
  public Duration quiet() {
    return quiet;
  }

  @Override
  public List<KnownLimit> known() {
    return List.copyOf(known);
  }

  @Override
  public void close() {
    closing.run();
  }
}
