package io.holdfast.redis;

import io.holdfast.redis.wire.Call;
import io.holdfast.redis.wire.Reply;

/** Runs one script at a time for each of any number of threads. */
interface Runner extends AutoCloseable {

  /** Blocks until the script answered or there is no hope of it; never throws for what became. */
  Reply run(Call call);

  /** The address for errors, without secrets. */
  String address();

  /** Ends what it has opened itself. */
  @Override
  void close();
}
