package io.holdfast.zookeeper.connection;

import io.holdfast.spi.support.TlsFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/** Supplies ZooKeeper clients: new ones, or caller-supplied ones. */
public interface ClientFactory {

  /** The largest reply that clients created here accept, in bytes: a list of a million names. */
  int MAX_REPLY_BYTES = 64 << 20;

  /**
   * A client whose session need not be open yet.
   *
   * @param sessionRequestedAt when the session was requested, or earlier; valid once connected
   * @param moveToNextServer resumes the session at another server, if there is one; does not block
   */
  record PendingClient(
      ZooKeeper client, LongSupplier sessionRequestedAt, Runnable moveToNextServer) {}

  /** Creates a client, or returns the caller-supplied one. */
  PendingClient connect(Watcher watcher, LongSupplier nanoTime) throws IOException;

  /**
   * Returns whether the caller supplied the client: its session may be older than this process
   * knows.
   */
  default boolean isCallerSupplied() {
    return false;
  }

  /** Returns the rights on created nodes. */
  List<ACL> acl();

  /** Ends the session of a client created here. Does not block; the future completes at its end. */
  CompletableFuture<?> close(ZooKeeper client);

  /** Disconnects a client created here and leaves its session to time out. Does not block. */
  CompletableFuture<?> detach(ZooKeeper client);

  /** Creates a new client for each call. */
  static ClientFactory newClients(ClientSettings settings, int sessionMillis) {
    return new ClientFactory() {
      @Override
      public PendingClient connect(Watcher watcher, LongSupplier nanoTime) throws IOException {
        ServerRotation servers = new ServerRotation(settings.servers(), nanoTime);
        ZooKeeper client =
            new DetachableZooKeeper(
                settings.hosts(), sessionMillis, watcher, servers, config(settings));
        settings
            .digestLogin()
            .ifPresent(
                login -> client.addAuthInfo("digest", login.getBytes(StandardCharsets.UTF_8)));
        Runnable moveToNextServer =
            settings.servers().size() > 1
                ? () -> servers.moveToNextServer(client, settings.hosts())
                : () -> {};
        return new PendingClient(client, servers::sessionRequestedAt, moveToNextServer);
      }

      @Override
      public List<ACL> acl() {
        return settings.acl();
      }

      @Override
      public CompletableFuture<?> close(ZooKeeper client) {
        return BackgroundClose.start(client::close);
      }

      @Override
      public CompletableFuture<?> detach(ZooKeeper client) {
        return client instanceof DetachableZooKeeper own
            ? BackgroundClose.start(own::detach)
            : CompletableFuture.completedFuture(true);
      }
    };
  }

  /** Always returns this client, which the caller closes. */
  static ClientFactory callerSupplied(ZooKeeper client, List<ACL> acl) {
    return callerSupplied(() -> client, acl);
  }

  /** Returns what the caller supplies at that time; the caller closes it. */
  static ClientFactory callerSupplied(Supplier<? extends ZooKeeper> clients, List<ACL> acl) {
    return new ClientFactory() {
      @Override
      public PendingClient connect(Watcher watcher, LongSupplier nanoTime) throws IOException {
        long now = nanoTime.getAsLong();
        ZooKeeper client = supplied(clients);
        // Its owner decides which server it is connected to.
        return new PendingClient(client, () -> now, () -> {});
      }

      @Override
      public boolean isCallerSupplied() {
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

  /** The supplier is the caller's: whatever it throws, there is no client now. */
  private static ZooKeeper supplied(Supplier<? extends @Nullable ZooKeeper> clients)
      throws IOException {
    @Nullable ZooKeeper client;
    try {
      client = clients.get();
    } catch (RuntimeException e) {
      throw new IOException("the supplier of clients failed: " + e, e);
    }
    if (client == null) {
      throw new IOException("the supplier returned no client");
    }
    return client;
  }

  private static ZKClientConfig config(ClientSettings settings) {
    ZKClientConfig config = new ZKClientConfig();
    if (config.getProperty(ZKConfig.JUTE_MAXBUFFER) == null) {
      // By default a client drops the connection on a reply of 1 MB: some 25,000 names.
      config.setProperty(ZKConfig.JUTE_MAXBUFFER, Integer.toString(MAX_REPLY_BYTES));
    }
    if (settings.tls().isPresent()) {
      TlsFiles tls = settings.tls().get();
      config.setProperty(ZKClientConfig.SECURE_CLIENT, "true");
      config.setProperty(
          ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET,
          "org.apache.zookeeper.ClientCnxnSocketNetty");
      // By default a client offers the newest version alone, which older servers lack.
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

  /** Closes clients on threads of their own: a server that does not reply blocks the close. */
  final class BackgroundClose {

    private BackgroundClose() {}

    /** A blocking close. */
    interface Close {
      /** Closes. */
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
