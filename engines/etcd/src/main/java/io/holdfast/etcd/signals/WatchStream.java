package io.holdfast.etcd.signals;

import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.etcd.connection.Members;
import io.holdfast.spi.Wake;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** One stream of watches to a member; passes on what it receives. */
final class WatchStream implements StreamObserver<WatchResponse> {

  /** Drops requests until the stream is open. */
  private static final StreamObserver<WatchRequest> NOT_OPEN =
      new StreamObserver<>() {
        @Override
        public void onNext(WatchRequest request) {}

        @Override
        public void onError(Throwable failure) {}

        @Override
        public void onCompleted() {}
      };

  private final Members.Route route;
  private final BiFunction<WatchStream, WatchResponse, List<Wake>> received;
  private final Consumer<WatchStream> ended;
  private StreamObserver<WatchRequest> requests = NOT_OPEN;

  /** Not open yet. The wakes that {@code received} returns are called with no lock held. */
  WatchStream(
      Members.Route route,
      BiFunction<WatchStream, WatchResponse, List<Wake>> received,
      Consumer<WatchStream> ended) {
    this.route = route;
    this.received = received;
    this.ended = ended;
  }

  /** Opens it. Without a connection it may have ended before this returns. */
  void open() {
    requests = WatchGrpc.newStub(route.channel()).watch(this);
  }

  Members.Member member() {
    return route.member();
  }

  /** The login token that it was opened with: the server uses it as long as it is open. */
  String token() {
    return route.token();
  }

  /** Asks for a watch; fails if the stream is broken. */
  void watch(WatchCreateRequest request) {
    requests.onNext(WatchRequest.newBuilder().setCreateRequest(request).build());
  }

  void cancel(long id) {
    try {
      requests.onNext(
          WatchRequest.newBuilder()
              .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(id))
              .build());
    } catch (RuntimeException e) {
      // A broken stream has no watches.
    }
  }

  /** Ends it at the server too, which would keep a stream that was only half-closed. */
  void close() {
    if (requests instanceof ClientCallStreamObserver<WatchRequest> call) {
      call.cancel("closed", null);
    }
  }

  @Override
  public void onNext(WatchResponse response) {
    received.apply(this, response).forEach(Wake::wake);
  }

  @Override
  public void onError(Throwable failure) {
    ended.accept(this);
  }

  @Override
  public void onCompleted() {
    ended.accept(this);
  }
}
