package io.holdfast.cli.bench;

import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A lock that is broken on purpose, in one way. */
enum PlantedContender implements Contender {
  /** Lets everybody in, always. */
  OPEN_DOOR,
  /** Keeps all others out, but its tokens fall. */
  FALLING_TOKENS,
  /** Excludes all others, but returns at release that it was lost. */
  LOST,
  /** Throws at release. */
  REFUSING,
  /** Keeps all others out, but does not say held for long. */
  FORGETFUL;

  @Override
  public boolean acrossProcesses() {
    return false;
  }

  @Override
  public Session open(Path folder) {
    Session sound =
        new HoldfastContender("memory:", Order.ANY, Duration.ofSeconds(30), "").open(folder);
    AtomicLong tokens = new AtomicLong(1_000_000_000L);
    return new Session() {
      @Override
      public Caller caller() {
        return new PlantedCaller(PlantedContender.this, sound.caller(), tokens);
      }

      @Override
      public void close() throws Exception {
        sound.close();
      }
    };
  }

  private record PlantedCaller(PlantedContender bug, Caller sound, AtomicLong tokens)
      implements Caller {

    @Override
    public long acquire(String name) throws Exception {
      if (bug == REFUSING) {
        throw new IllegalStateException("no reply");
      }
      if (bug != OPEN_DOOR) {
        long unused = sound.acquire(name);
      }
      return bug == FALLING_TOKENS ? tokens.decrementAndGet() : NO_TOKEN;
    }

    @Override
    public void release() throws Exception {
      if (bug != OPEN_DOOR) {
        sound.release();
      }
      if (bug == LOST) {
        throw new IllegalStateException("it was lost");
      }
    }

    @Override
    public boolean isHeld() {
      return bug != FORGETFUL;
    }
  }
}
