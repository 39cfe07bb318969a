package io.holdfast.rig;

/** One thing for each {@link Direction}. */
record EachWay<T>(T requests, T replies) {

  T get(Direction direction) {
    return direction == Direction.REQUESTS ? requests : replies;
  }

  EachWay<T> with(Direction direction, T other) {
    return direction == Direction.REQUESTS
        ? new EachWay<>(other, replies)
        : new EachWay<>(requests, other);
  }
}
