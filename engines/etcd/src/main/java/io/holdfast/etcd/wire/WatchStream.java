package io.holdfast.etcd.wire;

import io.etcd.jetcd.api.WatchCancelRequest;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.holdfast.spi.Wake;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** One stream of watches to a member, and to whom it tells what it hears. */
final class WatchStream implements StreamObserver<WatchResponse> {

  private final Members.Way way;
  private final BiFunction<WatchStream, WatchResponse, List<Wake>> heard;
  private final Consumer<WatchStream> ended;
  private StreamObserver<WatchRequest> requests = new Nowhere();

  /** Not open yet; whom it hears of is woken when the ear has answered, with no lock held. */
  WatchStream(
      Members.Way way,
      BiFunction<WatchStream, WatchResponse, List<Wake>> heard,
      Consumer<WatchStream> ended) {
    this.way = way;
    this.heard = heard;
    this.ended = ended;
  }

  /** Opens it. It may have ended before this returns, if there is no connection. */
  void open() {
    requests = WatchGrpc.newStub(way.channel()).watch(this);
  }

  Members.Member member() {
    return way.member();
  }

  /** The token that it was opened with: a server looks at that one for as long as it is open. */
  String token() {
    return way.token();
  }

  /** Asks for a watch; fails when the stream is broken. */
  void watch(WatchCreateRequest request) {
    requests.onNext(WatchRequest.newBuilder().setCreateRequest(request).build());
  }

  void cancel(long number) {
    try {
      requests.onNext(
          WatchRequest.newBuilder()
              .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(number))
              .build());
    } catch (RuntimeException e) {
      // A stream that is broken has no watches.
    }
  }

  /** Ends it at the server too, which keeps one that has only nothing more to ask. */
  void close() {
    if (requests instanceof ClientCallStreamObserver<WatchRequest> call) {
      call.cancel("closed", null);
    }
  }

  @Override
  public void onNext(WatchResponse response) {
    heard.apply(this, response).forEach(Wake::wake);
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
