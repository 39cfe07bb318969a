package io.holdfast.zookeeper.connection;

import io.holdfast.spi.support.TlsFiles;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.data.ACL;

/**
 * How ZooKeeper clients connect and which rights their nodes get.
 *
 * @param servers unresolved addresses of some or all servers of the ensemble
 * @param hosts the same servers as one text, as ZooKeeper's client takes them
 * @param digestLogin {@code user:password} of the scheme {@code digest}, if there is a login
 * @param acl the rights on created nodes
 */
public record ClientSettings(
    List<InetSocketAddress> servers,
    String hosts,
    Optional<String> digestLogin,
    Optional<TlsFiles> tls,
    List<ACL> acl) {

  /** Shows no password. */
  @Override
  public String toString() {
    return hosts;
  }
}
