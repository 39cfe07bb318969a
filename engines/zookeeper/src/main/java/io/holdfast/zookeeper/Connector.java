package io.holdfast.zookeeper;

import io.holdfast.zookeeper.ZooKeeperOptions.Acl;
import io.holdfast.zookeeper.ZooKeeperOptions.Tls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;

/** Where clients of ZooKeeper come from: made here, or by the program. */
interface Connector {

  /** How long an answer may be, in bytes: a list of a million names. */
  int MOST_BYTES = 64 << 20;

  /**
   * A client, whose session need not be open yet.
   *
   * @param askedAt when the session was asked for, or before; to be asked once it is connected
   * @param moveOn attaches the session to another server, if there is one; does not block
   */
  record Asked(ZooKeeper client, LongSupplier askedAt, Runnable moveOn) {}

  /** A client of its own for each call, or always the one that there is. */
  Asked connect(Watcher watcher, LongSupplier nanoTime) throws IOException;

  /** Whether the clients are the program's: their sessions may be older than we know. */
  default boolean isLent() {
    return false;
  }

  /** The rights on nodes that are made. */
  List<ACL> acl();

  /** Gives a client back. Does not block; answered when it has said goodbye. */
  CompletableFuture<?> close(ZooKeeper client);

  /** Gives a client back, and leaves its session to itself. Does not block. */
  CompletableFuture<?> detach(ZooKeeper client);

  /** Clients that are made here. */
  static Connector own(ZooKeeperOptions options, int sessionMillis) {
    return new Connector() {
      @Override
      public Asked connect(Watcher watcher, LongSupplier nanoTime) throws IOException {
        Tries tries = new Tries(options, nanoTime);
        ZooKeeper client =
            new DetachableZooKeeper(
                options.hosts(), sessionMillis, watcher, tries, config(options));
        options
            .login()
            .ifPresent(
                login ->
                    client.addAuthInfo(
                        "digest",
                        (login.user() + ":" + login.password()).getBytes(StandardCharsets.UTF_8)));
        Runnable moveOn =
            options.servers().size() > 1 ? () -> tries.moveOn(client, options.hosts()) : () -> {};
        return new Asked(client, tries::askedAt, moveOn);
      }

      @Override
      public List<ACL> acl() {
        return options.acl() == Acl.CREATOR
            ? ZooDefs.Ids.CREATOR_ALL_ACL
            : ZooDefs.Ids.OPEN_ACL_UNSAFE;
      }

      @Override
      public CompletableFuture<?> close(ZooKeeper client) {
        return Closing.start(client::close);
      }

      @Override
      public CompletableFuture<?> detach(ZooKeeper client) {
        return client instanceof DetachableZooKeeper own
            ? Closing.start(own::detach)
            : CompletableFuture.completedFuture(true);
      }
    };
  }

  /** The one client that the program handed in, and closes itself. */
  static Connector lent(ZooKeeper client, List<ACL> acl) {
    return new Connector() {
      @Override
      public Asked connect(Watcher watcher, LongSupplier nanoTime) {
        long now = nanoTime.getAsLong();
        // Its owner decides where it is connected to.
        return new Asked(client, () -> now, () -> {});
      }

      @Override
      public boolean isLent() {
        return true;
      }

      @Override
      public List<ACL> acl() {
        return acl;
      }

      @Override
      public CompletableFuture<?> close(ZooKeeper same) {
        // Its owner closes it.
        return CompletableFuture.completedFuture(true);
      }

      @Override
      public CompletableFuture<?> detach(ZooKeeper same) {
        return CompletableFuture.completedFuture(true);
      }
    };
  }

  private static ZKClientConfig config(ZooKeeperOptions options) {
    ZKClientConfig config = new ZKClientConfig();
    if (config.getProperty(ZKConfig.JUTE_MAXBUFFER) == null) {
      // By itself the client ends the connection on an answer of 1 MB: some 25,000 names.
      config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(MOST_BYTES));
    }
    if (options.tls().isPresent()) {
      Tls tls = options.tls().get();
      config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
      config.setProperty(
          ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET,
          "org.apache.zookeeper.ClientCnxnSocketNetty");
      // By itself the client speaks the newest alone, which older servers do not.
      config.setProperty("zookeeper.ssl.enabledProtocols", "TLSv1.3,TLSv1.2");
      tls.trustStore()
          .ifPresent(
              store -> {
                config.setProperty("zookeeper.ssl.trustStore.location", store.file().toString());
                config.setProperty("zookeeper.ssl.trustStore.password", store.password());
              });
      tls.keyStore()
          .ifPresent(
              store -> {
                config.setProperty("zookeeper.ssl.keyStore.location", store.file().toString());
                config.setProperty("zookeeper.ssl.keyStore.password", store.password());
              });
    }
    return config;
  }

  /** To say goodbye may take as long as a connection does not answer. */
  final class Closing {

    private Closing() {}

    /** A way to close a client, which blocks. */
    interface Close {
      void run() throws InterruptedException;
    }

    static CompletableFuture<Boolean> start(Close close) {
      CompletableFuture<Boolean> done = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  close.run();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                } finally {
                  done.complete(true);
                }
              },
              "holdfast-zookeeper-close");
      thread.setDaemon(true);
      thread.start();
      return done;
    }
  }
}
