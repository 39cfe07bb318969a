package io.holdfast.benchmarks;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** A lock that is broken on purpose, in one way. */
enum PlantedContender implements Contender {
  /** Lets everybody in, always. */
  OPEN_DOOR,
  /** Keeps all others out, but its tokens fall. */
  FALLING_TOKENS,
  /** Keeps all others out, but answers at release that it was lost. */
  LOST,
  /** Does not even answer. */
  REFUSING,
  /** Keeps all others out, but does not say held for long. */
  FORGETFUL;

  @Override
  public boolean acrossProcesses() {
    return false;
  }

  @Override
  public Session open(Path folder) {
    Session sound = new ReentrantContender("sound", false).open(folder);
    AtomicLong tokens = new AtomicLong(1_000_000_000L);
    return new Session() {
      @Override
      public Caller caller() {
        return new PlantedCaller(PlantedContender.this, sound.caller(), tokens);
      }

      @Override
      public void close() {}
    };
  }

  private record PlantedCaller(PlantedContender bug, Caller sound, AtomicLong tokens)
      implements Caller {

    @Override
    public long acquire(String name) throws Exception {
      if (bug == REFUSING) {
        throw new IllegalStateException("no answer");
      }
      if (bug != OPEN_DOOR) {
        sound.acquire(name);
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
