package io.holdfast.torture;

import java.util.List;

/** Links that nobody breaks. */
final class DirectLinks implements Network {
  private final String why;

  DirectLinks(String why) {
    this.why = why;
  }

  @Override
  public String description() {
    return "links are left alone: " + why;
  }

  @Override
  public List<String> prefix(int worker) {
    return List.of();
  }

  @Override
  public String uri(int worker, String uri) {
    return uri;
  }

  @Override
  public List<FaultKind> faults() {
    return List.of();
  }

  @Override
  public Broken breakLink(FaultKind kind, int worker) {
    throw new IllegalStateException(description());
  }

  @Override
  public Broken hide(int port) {
    throw new IllegalStateException(description());
  }

  @Override
  public void close() {}
}
