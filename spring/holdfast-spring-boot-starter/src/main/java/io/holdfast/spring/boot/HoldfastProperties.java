package io.holdfast.spring.boot;

import io.holdfast.spi.Order;
import io.holdfast.spring.BoundSession;
import io.holdfast.spring.InTransaction;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code holdfast.*}.
 *
 * @param enabled Whether Holdfast is configured.
 * @param url Address of the store, such as redis://db:6379 or jdbc:postgresql://db/app. Without it
 *     the store of a bean is used.
 * @param store Whose store is used without an address. Needed when the beans of several are there.
 * @param namespace Keeps the names of applications apart. The application's name by default.
 * @param lease How long the store keeps a hold whose process has ended.
 * @param order Order in which waiters get a mutex.
 * @param lanes Number of connections that carry requests. 0 leaves it to the engine.
 * @param failFast Whether the start fails when the store does not reply.
 * @param locked Settings of the annotations.
 * @param fence Fences of transactions.
 * @param datasource Use of the DataSource.
 * @param shutdown End of the client.
 * @param clients More clients, by the name of their bean.
 */
@ConfigurationProperties("holdfast")
public record HoldfastProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable String url,
    @Nullable Store store,
    @Nullable String namespace,
    @DefaultValue("30s") Duration lease,
    @DefaultValue("any") Order order,
    @DefaultValue("0") int lanes,
    @DefaultValue("false") boolean failFast,
    @DefaultValue Locked locked,
    @DefaultValue Fence fence,
    @DefaultValue Datasource datasource,
    @DefaultValue Shutdown shutdown,
    @DefaultValue Map<String, Client> clients) {

  /** Beans that have a store. */
  public enum Store {
    /** The database of the only or primary DataSource. */
    DATASOURCE,
    /** The server, Sentinel or cluster of the LettuceConnectionFactory. */
    REDIS,
    /** The sessions of the Supplier of ZooKeeper, or the one of the ZooKeeper. */
    ZOOKEEPER,
    /** The cluster behind the io.grpc.Channel. */
    ETCD;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Settings of the annotations.
   *
   * @param waitFor How long a locked method waits for its lock when it does not say.
   * @param order Order of the advice among others. Smaller is further outside.
   * @param inTransaction What happens when a transaction is active at an acquire.
   * @param session What happens when a JPA session is bound at an acquire.
   * @param check Whether the start fails when an annotated method cannot be guarded.
   */
  public record Locked(
      @DefaultValue("10s") Duration waitFor,
      @DefaultValue("2147483547") int order,
      @DefaultValue("refuse") InTransaction inTransaction,
      @DefaultValue("put-away") BoundSession session,
      @DefaultValue("true") boolean check) {}

  /**
   * Fences of transactions.
   *
   * @param table Table of the fence, with or without a schema.
   * @param create Whether the table is created when it is missing.
   */
  public record Fence(
      @DefaultValue("holdfast_fence") String table, @DefaultValue("false") boolean create) {}

  /**
   * Use of the DataSource.
   *
   * @param sharedPool Whether connections are taken from the pool of the application, and kept.
   *     Otherwise Holdfast opens a few of its own with the same address and login.
   */
  public record Datasource(@DefaultValue("false") boolean sharedPool) {}

  /**
   * End of the client.
   *
   * @param drain How long holds may go on after the last request and job has ended.
   * @param grace How long callbacks of lost holds may take.
   */
  public record Shutdown(@DefaultValue("20s") Duration drain, @DefaultValue("1s") Duration grace) {}

  /**
   * One more client.
   *
   * @param url Address of its store.
   * @param namespace Its namespace. That of the application by default.
   * @param lease Its lease. That of the application by default.
   */
  public record Client(String url, @Nullable String namespace, @Nullable Duration lease) {}
}
