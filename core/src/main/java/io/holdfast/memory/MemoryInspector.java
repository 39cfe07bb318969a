package io.holdfast.memory;

import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The operator's side of a store in memory. */
final class MemoryInspector implements EngineInspector {

  private static final Comparator<Resource> BY_NAME =
      Comparator.comparing(Resource::name, NameOrder.BY_BYTES);

  private final MemoryStore store;

  MemoryInspector(MemoryStore store) {
    this.store = store;
  }

  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit) {
    Resource.requireNamespace(namespace);
    if (limit < 1 || limit > MAX_PAGE) {
      throw new IllegalArgumentException("limit must be 1.." + MAX_PAGE + ": limit=" + limit);
    }
    List<LineView> page = new ArrayList<>();
    String from = after;
    // Lines may turn out to be over when they are looked at: a short page would look like the last.
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

  /** The first names after the given one, in their order; not more than asked for are kept. */
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
      return line.isEmpty() ? Optional.empty() : Optional.of(view(line));
    } finally {
      line.exit();
    }
  }

  private static LineView view(MemoryLine line) {
    List<Entry> entries = new ArrayList<>();
    line.room().in().forEach(entries::add);
    line.room().waiting().forEach(entries::add);
    // One that was called in but has not asked yet waits ahead of some that are in.
    entries.sort(Comparator.comparingLong(entry -> entry.place));
    List<TicketView> tickets = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      tickets.add(view(entry, line.now()));
    }
    return new LineView(line.resource(), line.room().shape(), tickets, line.marked());
  }

  private static TicketView view(Entry entry, long now) {
    TicketView.State state =
        entry.token == 0
            ? TicketView.State.WAITING
            : entry.revoked == null ? TicketView.State.HOLDING : TicketView.State.REVOKED;
    return new TicketView(
        state,
        entry.ticket.owner(),
        entry.token,
        entry.weight,
        Duration.ofNanos(now - entry.joined),
        Duration.ofNanos(entry.expiry - now));
  }

  @Override
  public Verdict revoke(Resource resource, long token, String reason) {
    return take(resource, token, reason, (line, holder) -> holder.revoked = reason);
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) {
    return take(resource, token, reason, (line, holder) -> line.evict(holder, reason));
  }

  private interface Taking {
    void from(MemoryLine line, Entry holder);
  }

  private Verdict take(Resource resource, long token, String reason, Taking taking) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException(
          "the holder must be told why: state a reason for " + resource);
    }
    MemoryLine line = store.enterIfThere(resource);
    if (line == null) {
      return Verdict.NOT_CURRENT;
    }
    try {
      @Nullable Entry holder = line.findGrant(token);
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
