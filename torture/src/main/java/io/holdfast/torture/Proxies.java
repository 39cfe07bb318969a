package io.holdfast.torture;

import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Links over a TCP proxy for each worker and server, for machines without network namespaces. Only
 * for stores whose clients connect to nothing but the addresses that they were given.
 */
final class Proxies implements Network {
  private final List<Map<Integer, FaultProxy>> byWorker = new ArrayList<>();

  Proxies(int workers, List<Integer> ports) {
    for (int i = 0; i < workers; i++) {
      Map<Integer, FaultProxy> proxies = new LinkedHashMap<>();
      for (int port : ports) {
        proxies.put(
            port, FaultProxy.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
      }
      byWorker.add(proxies);
    }
  }

  @Override
  public String description() {
    return "TCP proxies (no network namespaces: connections are closed, swallowed and held)";
  }

  @Override
  public List<String> prefix(int worker) {
    return List.of();
  }

  @Override
  public String uri(int worker, String uri) {
    String changed = uri;
    for (Map.Entry<Integer, FaultProxy> way : byWorker.get(worker).entrySet()) {
      changed =
          changed.replaceAll(
              "127\\.0\\.0\\.1:" + way.getKey() + "\\b", "127.0.0.1:#" + way.getValue().port());
    }
    return changed.replace("#", "");
  }

  @Override
  public List<FaultKind> faults() {
    return List.of(
        FaultKind.LINK_CUT,
        FaultKind.LINK_HALF_OPEN,
        FaultKind.REPLIES_LOST,
        FaultKind.REQUESTS_LOST);
  }

  @Override
  public Broken breakLink(FaultKind kind, int worker) {
    Consumer<FaultProxy> fault =
        switch (kind) {
          case LINK_CUT -> FaultProxy::cut;
          case LINK_HALF_OPEN -> FaultProxy::hold;
          case REPLIES_LOST -> proxy -> proxy.passOnly(Direction.REQUESTS);
          case REQUESTS_LOST -> proxy -> proxy.passOnly(Direction.REPLIES);
          default -> throw new IllegalArgumentException("not a fault of a link: " + kind);
        };
    List<FaultProxy> proxies = List.copyOf(byWorker.get(worker).values());
    proxies.forEach(fault);
    return () -> proxies.forEach(FaultProxy::heal);
  }

  @Override
  public Broken hide(int port) {
    List<FaultProxy> proxies = byWorker.stream().map(ways -> ways.get(port)).toList();
    proxies.forEach(FaultProxy::hold);
    return () -> proxies.forEach(FaultProxy::heal);
  }

  @Override
  public void close() {
    byWorker.forEach(ways -> ways.values().forEach(FaultProxy::close));
  }
}
