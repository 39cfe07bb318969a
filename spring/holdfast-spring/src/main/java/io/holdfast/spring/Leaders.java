package io.holdfast.spring;

import io.holdfast.Election;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;

/**
 * The elections of {@link LeaderOnly}. Stands when everything else has started, and resigns before
 * anything else stops. A run in progress keeps its leadership to its end.
 */
final class Leaders implements SmartLifecycle {

  private record Key(String client, String name) {}

  private final HoldfastClients clients;

  /** The elections to stand for; those without a standing are not stood for now. */
  private final Map<Key, @Nullable Standing> elections = new LinkedHashMap<>();

  private boolean running;

  Leaders(HoldfastClients clients) {
    this.clients = clients;
  }

  /** Stands for this election from the start on. */
  synchronized void add(LeaderOnlyOperation operation) {
    standing(operation);
  }

  /** Returns the standing in an election; null while the context is not running. */
  synchronized @Nullable Standing standing(LeaderOnlyOperation operation) {
    Key key = new Key(operation.client(), operation.name());
    Standing standing = elections.get(key);
    if (standing == null) {
      standing = running ? stand(key) : null;
      elections.put(key, standing);
    }
    return standing;
  }

  private Standing stand(Key key) {
    Holdfast client = clients.client(key.client());
    return new Standing(client, client.tagged(key.name()).election(key.name()).stand(hold -> {}));
  }

  @Override
  public synchronized void start() {
    running = true;
    elections.replaceAll((key, none) -> stand(key));
  }

  @Override
  public synchronized void stop() {
    running = false;
    elections.replaceAll(
        (key, standing) -> {
          if (standing != null) {
            standing.resign();
          }
          return null;
        });
  }

  @Override
  public synchronized boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }

  /** One candidacy and the runs that rely on it. */
  static final class Standing {

    private final Holdfast client;
    private final Election.Candidacy candidacy;
    private int runs;
    private boolean resigned;

    Standing(Holdfast client, Election.Candidacy candidacy) {
      this.client = client;
      this.candidacy = candidacy;
    }

    Holdfast client() {
      return client;
    }

    /** Begins a run; returns null where another process leads. Each begin needs an {@link #end}. */
    synchronized @Nullable Hold begin() {
      Hold hold = resigned ? null : candidacy.leadership().filter(Hold::isHeld).orElse(null);
      if (hold != null) {
        runs++;
      }
      return hold;
    }

    synchronized void end() {
      runs--;
      closeIfOver();
    }

    synchronized void resign() {
      resigned = true;
      closeIfOver();
    }

    private void closeIfOver() {
      if (resigned && runs == 0) {
        candidacy.close();
      }
    }
  }
}
