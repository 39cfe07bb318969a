package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.holdfast.spi.EngineException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls to three members, of which some hang or fail. */
@Timeout(60)
class RepeatedCallsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  private enum Behaviour {
    REPLIES,
    HANGS,
    HAS_NO_LEADER,
    REFUSES
  }

  /** A member whose behaviour depends on how many calls it has received before. */
  private static final class ScriptedMember {

    final AtomicInteger calls = new AtomicInteger();
    final Server server;
    volatile IntFunction<Behaviour> behaviour = call -> Behaviour.REPLIES;

    ScriptedMember() throws IOException {
      server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
              .addService(
                  new LeaseGrpc.LeaseImplBase() {
                    @Override
                    public StreamObserver<LeaseKeepAliveRequest> leaseKeepAlive(
                        StreamObserver<LeaseKeepAliveResponse> to) {
                      return new KeepAlives(to);
                    }
                  })
              .addService(
                  new KVGrpc.KVImplBase() {
                    @Override
                    public void txn(TxnRequest request, StreamObserver<TxnResponse> to) {
                      reply(to, TxnResponse.newBuilder().setSucceeded(true).build());
                    }
                  })
              .build()
              .start();
    }

    <A> void reply(StreamObserver<A> to, A reply) {
      switch (behaviour.apply(calls.getAndIncrement())) {
        case REPLIES -> {
          to.onNext(reply);
          to.onCompleted();
        }
        case HAS_NO_LEADER ->
            to.onError(
                Status.UNAVAILABLE.withDescription("etcdserver: no leader").asRuntimeException());
        case REFUSES ->
            to.onError(
                Status.PERMISSION_DENIED
                    .withDescription("etcdserver: permission denied")
                    .asRuntimeException());
        case HANGS -> {}
      }
    }

    private final class KeepAlives implements StreamObserver<LeaseKeepAliveRequest> {
      private final StreamObserver<LeaseKeepAliveResponse> to;

      KeepAlives(StreamObserver<LeaseKeepAliveResponse> to) {
        this.to = to;
      }

      @Override
      public void onNext(LeaseKeepAliveRequest request) {
        reply(to, LeaseKeepAliveResponse.newBuilder().setID(request.getID()).setTTL(6).build());
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onCompleted() {}
    }
  }

  private List<ScriptedMember> servers;
  private Members members;
  private EtcdConnection connection;

  @BeforeEach
  void start() throws IOException {
    servers = List.of(new ScriptedMember(), new ScriptedMember(), new ScriptedMember());
    members =
        Members.of(
            servers.stream()
                .map(
                    each ->
                        new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), each.server.getPort()))
                .toList(),
            null,
            "",
            "",
            "etcd://test",
            "holdfast/",
            Members.Timing.of(Duration.ofSeconds(24), TIMEOUT));
    connection = new EtcdConnection(members, TIMEOUT);
  }

  @AfterEach
  void stop() {
    connection.close();
    members.close();
    servers.forEach(each -> each.server.shutdownNow());
  }

  private void all(IntFunction<Behaviour> behaviour) {
    servers.forEach(each -> each.behaviour = behaviour);
  }

  private static TxnRequest txn(RequestOp op) {
    return TxnRequest.newBuilder().addSuccess(op).build();
  }

  private static RequestOp read() {
    return RequestOp.newBuilder()
        .setRequestRange(RangeRequest.newBuilder().setKey(ByteString.copyFromUtf8("k")))
        .build();
  }

  private static RequestOp write() {
    return RequestOp.newBuilder()
        .setRequestPut(PutRequest.newBuilder().setKey(ByteString.copyFromUtf8("k")))
        .build();
  }

  @Test
  @DisplayName("a member whose first call is stuck at a hung leader is asked again")
  void stuckCalls() throws Exception {
    Members.Member first = members.current();
    servers.get(0).behaviour = call -> call == 0 ? Behaviour.HANGS : Behaviour.REPLIES;
    servers.get(1).behaviour = call -> Behaviour.HANGS;
    servers.get(2).behaviour = call -> Behaviour.HANGS;

    assertThat(connection.keepAlive(7).getTTL()).isEqualTo(6);
    assertThat(servers.get(0).calls).hasValue(2);
    assertThat(members.isCurrent(first)).as("calls and streams stay there").isTrue();
  }

  @Test
  @DisplayName("a keep-alive is tried again while there is no leader")
  void noLeader() throws Exception {
    all(call -> call < 2 ? Behaviour.HAS_NO_LEADER : Behaviour.REPLIES);

    assertThat(connection.keepAlive(7).getTTL()).isEqualTo(6);
  }

  @Test
  @DisplayName("without a leader for longer it fails, and as not done")
  void neverALeader() {
    all(call -> Behaviour.HAS_NO_LEADER);

    assertThatThrownBy(() -> connection.keepAlive(7))
        .isInstanceOf(EngineException.NotDone.class)
        .hasMessageContaining("no leader");
  }

  @Test
  @DisplayName("a transaction that only reads is sent to the next member, and calls follow")
  void reads() throws Exception {
    Members.Member hung = members.current();
    servers.get(0).behaviour = call -> Behaviour.HANGS;

    assertThat(connection.txn(txn(read())).getSucceeded()).isTrue();
    assertThat(members.isCurrent(hung)).isFalse();
    assertThat(connection.txn(txn(write())).getSucceeded()).isTrue();
    assertThat(servers.get(0).calls).hasValue(1);
  }

  @Test
  @DisplayName("a transaction that writes is sent once, and so is a nested one")
  void writes() {
    servers.get(0).behaviour = call -> Behaviour.HANGS;
    RequestOp nested = RequestOp.newBuilder().setRequestTxn(txn(write())).build();
    EtcdConnection brief = new EtcdConnection(members, Duration.ofSeconds(3));

    assertThatThrownBy(() -> brief.txn(txn(nested))).isInstanceOf(EngineException.Unknown.class);
    assertThat(servers.get(1).calls).hasValue(0);
    assertThat(servers.get(2).calls).hasValue(0);
  }

  @Test
  @DisplayName("a refusal is final")
  void refused() {
    all(call -> Behaviour.REFUSES);

    assertThatThrownBy(() -> connection.keepAlive(7)).isInstanceOf(EngineException.Refused.class);
    assertThat(servers.get(1).calls).hasValue(0);
  }
}
