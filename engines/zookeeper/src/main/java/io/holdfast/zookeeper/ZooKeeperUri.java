package io.holdfast.zookeeper;

import io.holdfast.spi.support.StoreUri;
import io.holdfast.spi.support.TlsFiles;
import io.holdfast.spi.support.UriParameters;
import io.holdfast.zookeeper.ZooKeeperOptions.Acl;
import io.holdfast.zookeeper.ZooKeeperOptions.Login;
import io.holdfast.zookeeper.ZooKeeperOptions.Server;
import io.holdfast.zookeeper.ZooKeeperOptions.Store;
import io.holdfast.zookeeper.ZooKeeperOptions.Tls;
import java.util.Optional;
import java.util.Set;

/** Parses the address of a ZooKeeper ensemble. */
final class ZooKeeperUri {

  private static final int PORT = 2181;
  private static final Set<String> PARAMETERS =
      Set.of("tls", "trustStore", "trustStorePassword", "keyStore", "keyStorePassword", "acl");

  private ZooKeeperUri() {}

  static ZooKeeperOptions parse(String text) {
    StoreUri uri = StoreUri.parse(text, "zookeeper");
    Optional<Login> login = uri.login().map(each -> new Login(each.user(), each.password()));
    UriParameters parameters = uri.parameters(PARAMETERS);
    return new ZooKeeperOptions(
        uri.servers(PORT).stream().map(each -> new Server(each.host(), each.port())).toList(),
        uri.path().equals("/") ? "" : uri.path(),
        login,
        parameters.tls(Optional.empty(), "tls=true").map(ZooKeeperUri::tls),
        parameters.choice("acl", Acl.class).orElse(login.isPresent() ? Acl.CREATOR : Acl.OPEN));
  }

  private static Tls tls(TlsFiles files) {
    return new Tls(
        files.trustStore().map(each -> new Store(each.file(), each.password())),
        files.keyStore().map(each -> new Store(each.file(), each.password())));
  }
}
