package io.holdfast.rig.proxy;

/** One thing for each {@link Direction}. */
record PerDirection<T>(T requests, T replies) {

  T get(Direction direction) {
    return direction == Direction.REQUESTS ? requests : replies;
  }

  PerDirection<T> with(Direction direction, T other) {
    return direction == Direction.REQUESTS
        ? new PerDirection<>(other, replies)
        : new PerDirection<>(requests, other);
  }
}
