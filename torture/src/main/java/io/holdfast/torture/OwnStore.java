package io.holdfast.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A store whose servers the program has started. */
final class OwnStore implements StoreUnderTest {
  private final String uri;
  private final Runnable closing;
  private final List<StoreFault> faults = new ArrayList<>();
  private final List<KnownLimit> known = new ArrayList<>();
  private List<Integer> ports;
  private boolean portsAreInUri = true;
  private Duration quiet = Duration.ZERO;

  OwnStore(String uri, List<Integer> ports, Runnable closing) {
    this.uri = uri;
    this.ports = List.copyOf(ports);
    this.closing = closing;
  }

  /** A store of somebody else, where nothing can be done to the servers. */
  static OwnStore given(String uri) {
    return new OwnStore(uri, List.of(), () -> {});
  }

  OwnStore with(StoreFault fault) {
    faults.add(fault);
    return this;
  }

  OwnStore withPorts(List<Integer> all, boolean inUri) {
    ports = List.copyOf(all);
    portsAreInUri = inUri;
    return this;
  }

  OwnStore withQuiet(Duration time) {
    quiet = time;
    return this;
  }

  /** With faults that are known to break exclusion if they last for so many leases. */
  OwnStore withKnown(double leases, FaultKind... kinds) {
    for (FaultKind kind : kinds) {
      known.add(new KnownLimit(kind, leases));
    }
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
