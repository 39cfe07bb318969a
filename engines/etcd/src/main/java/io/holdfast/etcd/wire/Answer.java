package io.holdfast.etcd.wire;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** The one answer of a call, awaited by the thread that made it. */
final class Answer<A> implements StreamObserver<A> {

  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable A value;
  private volatile @Nullable Throwable failure;

  @Override
  public void onNext(A answer) {
    value = answer;
  }

  @Override
  public void onError(Throwable why) {
    failure = why;
    ended.countDown();
  }

  @Override
  public void onCompleted() {
    ended.countDown();
  }

  /** Waits until the call has ended, which its deadline sees to. */
  A await() throws InterruptedException, StatusRuntimeException {
    ended.await();
    Throwable why = failure;
    if (why != null) {
      throw Status.fromThrowable(why).asRuntimeException();
    }
    A answer = value;
    if (answer == null) {
      throw Status.UNKNOWN.withDescription("the call ended without an answer").asRuntimeException();
    }
    return answer;
  }
}
