package io.holdfast.torture;

import java.time.Duration;
import java.util.List;

/** A store with the faults that can be made in it. */
interface StoreUnderTest extends AutoCloseable {

  /** The address, as workers outside of any fault reach it; may hold secrets. */
  String uri();

  /** The ports of 127.0.0.1 that clients connect to; none if the servers are not ours. */
  List<Integer> ports();

  /** Whether clients only connect to the ports that are in {@link #uri()}. */
  boolean portsAreInUri();

  /** What can be done to it. */
  List<StoreFault> faults();

  /** How long after a fault it may grant nothing, though it is well. */
  Duration quiet();

  /** Which faults are known to let two holders believe at once; see {@code docs/reliability.md}. */
  List<KnownLimit> known();

  @Override
  void close();
}
