package io.holdfast.torture;

import java.util.List;

/** The links between workers and servers. */
interface Network extends AutoCloseable {

  /** In a sentence: how links are broken in this run. */
  String description();

  /** The command that puts a worker on its link. */
  List<String> prefix(int worker);

  /** The address of the store at the end of a worker's link. */
  String uri(int worker, String uri);

  /** What it can do. */
  List<FaultKind> faults();

  /** Puts a fault in force until it is closed. */
  Broken breakLink(FaultKind kind, int worker);

  /** Hides one server from all workers until it is closed. */
  Broken hide(int port);

  @Override
  void close();

  /** A link that is broken until this is closed. */
  interface Broken extends AutoCloseable {
    @Override
    void close();
  }
}
