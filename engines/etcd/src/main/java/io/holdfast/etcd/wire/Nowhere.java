package io.holdfast.etcd.wire;

import io.etcd.jetcd.api.WatchRequest;
import io.grpc.stub.StreamObserver;

/** Where requests go until a stream is there. */
final class Nowhere implements StreamObserver<WatchRequest> {

  @Override
  public void onNext(WatchRequest request) {}

  @Override
  public void onError(Throwable failure) {}

  @Override
  public void onCompleted() {}
}
