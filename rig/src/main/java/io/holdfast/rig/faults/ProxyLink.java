package io.holdfast.rig.faults;

import io.holdfast.rig.proxy.Direction;
import io.holdfast.rig.proxy.FaultProxy;
import io.holdfast.rig.proxy.ProxyFault;
import io.holdfast.tck.faults.Cut;
import io.holdfast.tck.faults.FaultLink;
import java.util.List;

/**
 * The link of one fault kit client: one proxy in front of each server.
 *
 * @param proxies closed with the link
 */
public record ProxyLink(List<FaultProxy> proxies) implements FaultLink {

  /** Copies the list. */
  public ProxyLink {
    proxies = List.copyOf(proxies);
  }

  @Override
  public void cut(Cut how) {
    for (FaultProxy proxy : proxies) {
      switch (how) {
        case CLOSED -> proxy.cut();
        case SILENT -> proxy.blackHole();
        case DELAYED -> proxy.hold();
        case REPLIES_DELAYED -> proxy.apply(Direction.REPLIES, new ProxyFault.Hold());
      }
    }
  }

  @Override
  public void heal() {
    proxies.forEach(FaultProxy::heal);
  }

  @Override
  public void close() {
    proxies.forEach(FaultProxy::close);
  }
}
