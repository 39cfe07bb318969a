package io.holdfast.memory;

import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import io.holdfast.spi.support.InspectorArguments;
import io.holdfast.spi.support.LineEntry;
import io.holdfast.spi.support.LineState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The inspector of a store in memory. */
final class MemoryInspector implements EngineInspector {

  private static final Comparator<Resource> BY_NAME =
      Comparator.comparing(Resource::name, NameOrder.BY_BYTES);

  private final MemoryStore store;

  MemoryInspector(MemoryStore store) {
    this.store = store;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit) {
    InspectorArguments.requirePage(namespace, limit);
    List<LineView> page = new ArrayList<>();
    String from = after;
    // Lines may have ended by the time they are read, and a short page would look like the last
    // one.
    while (page.size() < limit) {
      List<Resource> found = find(namespace, prefix, from, limit - page.size());
      if (found.isEmpty()) {
        break;
      }
      found.forEach(resource -> show(resource).ifPresent(page::add));
      from = found.get(found.size() - 1).name();
    }
    return page;
  }

  /**
   * Returns the first names after the given one, in order; keeps no more than the limit in memory.
   */
  private List<Resource> find(String namespace, String prefix, String after, int limit) {
    PriorityQueue<Resource> first = new PriorityQueue<>(BY_NAME.reversed());
    for (MemoryLine line : store.lines()) {
      Resource resource = line.resource();
      if (resource.namespace().equals(namespace)
          && resource.name().startsWith(prefix)
          && NameOrder.BY_BYTES.compare(resource.name(), after) > 0) {
        first.add(resource);
        if (first.size() > limit) {
          first.remove();
        }
      }
    }
    List<Resource> found = new ArrayList<>(first);
    found.sort(BY_NAME);
    return found;
  }

  @Override
  public Optional<LineView> show(Resource resource) {
    MemoryLine line = store.enterIfThere(resource);
    if (line == null) {
      return Optional.empty();
    }
    try {
      LineState state = line.state();
      return state.isEmpty() ? Optional.empty() : Optional.of(view(resource, state));
    } finally {
      line.exit();
    }
  }

  private static LineView view(Resource resource, LineState line) {
    List<TicketView> tickets = new ArrayList<>();
    for (LineEntry entry : line.entries()) {
      tickets.add(view(entry, line.now()));
    }
    return new LineView(resource, line.shape(), tickets, line.marked());
  }

  private static TicketView view(LineEntry entry, long now) {
    TicketView.State state =
        !entry.isHolder()
            ? TicketView.State.WAITING
            : entry.revoked() == null ? TicketView.State.HOLDING : TicketView.State.REVOKED;
    return new TicketView(
        state,
        entry.owner(),
        entry.token(),
        entry.weight(),
        Duration.ofNanos(now - entry.joined()),
        Duration.ofNanos(entry.expiry() - now));
  }

  @Override
  public Verdict revoke(Resource resource, long token, String reason) {
    return take(resource, token, reason, (line, holder) -> line.revoke(holder, reason));
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) {
    return take(resource, token, reason, (line, holder) -> line.evict(holder, reason));
  }

  private interface Taking {
    void from(MemoryLine line, LineEntry holder);
  }

  private Verdict take(Resource resource, long token, String reason, Taking taking) {
    InspectorArguments.requireReason(resource, reason);
    MemoryLine line = store.enterIfThere(resource);
    if (line == null) {
      return Verdict.NOT_CURRENT;
    }
    try {
      @Nullable LineEntry holder = line.state().findHolder(token);
      if (holder == null) {
        return Verdict.NOT_CURRENT;
      }
      taking.from(line, holder);
    } finally {
      line.exit();
    }
    store.holdSignals.forEach(signal -> signal.changed(resource));
    return Verdict.DONE;
  }
}
