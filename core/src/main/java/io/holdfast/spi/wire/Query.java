package io.holdfast.spi.wire;

import io.holdfast.spi.Counter;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.LockEngine;
import io.holdfast.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A call of a store's inspector or counter.
 *
 * <p>Results are written by {@link #run} and read by the method for the query.
 */
public sealed interface Query {

  /** {@link EngineInspector#list}. */
  record ListLines(String namespace, String prefix, String after, int limit) implements Query {}

  /** {@link EngineInspector#show}. */
  record Show(Resource resource) implements Query {}

  /** {@link EngineInspector#revoke}, or {@link EngineInspector#evict}. */
  record Take(Resource resource, long token, String reason, boolean atOnce) implements Query {}

  /** {@link Counter#take}. */
  record Count(Counter.Ask ask) implements Query {}

  /** {@link Counter#giveBack}. */
  record GiveBack(Resource resource, long from, long end) implements Query {}

  /** Writes the query. */
  default void write(MessageWriter out) {
    if (this instanceof ListLines list) {
      out.put('l').put(list.namespace).put(list.prefix).put(list.after).putInt(list.limit);
    } else if (this instanceof Show show) {
      out.put('s');
      Wire.write(out, show.resource);
    } else if (this instanceof Take take) {
      out.put('t');
      Wire.write(out, take.resource);
      out.putLong(take.token).put(take.reason).put(take.atOnce);
    } else if (this instanceof Count count) {
      out.put('c');
      Wire.write(out, count.ask.name());
      out.putLong(count.ask.count()).putLong(count.ask.floor()).put(count.ask.clocked());
    } else if (this instanceof GiveBack back) {
      out.put('b');
      Wire.write(out, back.resource);
      out.putLong(back.from).putLong(back.end);
    }
  }

  /** Reads a query. */
  static Query read(MessageReader in) throws MalformedMessageException {
    byte code = in.get();
    try {
      return switch (code) {
        case 'l' ->
            new ListLines(
                Resource.requireNamespace(in.getText()), in.getText(), in.getText(), in.getInt());
        case 's' -> new Show(Wire.readResource(in));
        case 't' -> new Take(Wire.readResource(in), in.getLong(), in.getText(), in.getFlag());
        case 'c' ->
            new Count(
                new Counter.Ask(Wire.readResource(in), in.getLong(), in.getLong(), in.getFlag()));
        case 'b' -> new GiveBack(Wire.readResource(in), in.getLong(), in.getLong());
        default -> throw Wire.unknown("query", code);
      };
    } catch (IllegalArgumentException e) {
      throw new MalformedMessageException(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Runs the query on the engine of a store and writes its result; blocks for I/O.
   *
   * @param view returns what the client may use of the store's inspector
   */
  default void run(LockEngine engine, UnaryOperator<EngineInspector> view, MessageWriter out)
      throws EngineException {
    if (this instanceof ListLines list) {
      List<LineView> lines =
          inspector(engine, view).list(list.namespace, list.prefix, list.after, list.limit);
      out.putInt(lines.size());
      lines.forEach(line -> write(out, line));
    } else if (this instanceof Show show) {
      Optional<LineView> line = inspector(engine, view).show(show.resource);
      out.put(line.isPresent());
      line.ifPresent(found -> write(out, found));
    } else if (this instanceof Take take) {
      Verdict verdict =
          take.atOnce
              ? inspector(engine, view).evict(take.resource, take.token, take.reason)
              : inspector(engine, view).revoke(take.resource, take.token, take.reason);
      out.put(verdict == Verdict.DONE);
    } else if (this instanceof Count count) {
      out.putLong(counter(engine).take(count.ask));
    } else if (this instanceof GiveBack back) {
      out.put(counter(engine).giveBack(back.resource, back.from, back.end));
    }
  }

  private static EngineInspector inspector(LockEngine engine, UnaryOperator<EngineInspector> view)
      throws EngineException {
    return engine
        .inspector()
        .map(view)
        .orElseThrow(() -> new EngineException.Refused(missing(engine, "lists no lines")));
  }

  private static Counter counter(LockEngine engine) throws EngineException {
    return engine
        .counter()
        .orElseThrow(() -> new EngineException.Refused(missing(engine, "has no counters")));
  }

  private static String missing(LockEngine engine, String what) {
    return engine.traits().store() + " " + what + "; use a store that has it";
  }

  /** Reads the result of {@link ListLines}. */
  static List<LineView> readLines(MessageReader in) throws MalformedMessageException {
    int count = in.getCount();
    List<LineView> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      lines.add(readLine(in));
    }
    return lines;
  }

  /** Reads the result of {@link Show}. */
  static Optional<LineView> readFound(MessageReader in) throws MalformedMessageException {
    return in.getFlag() ? Optional.of(readLine(in)) : Optional.empty();
  }

  /** Reads the result of {@link Take}. */
  static Verdict readVerdict(MessageReader in) throws MalformedMessageException {
    return in.getFlag() ? Verdict.DONE : Verdict.NOT_CURRENT;
  }

  private static void write(MessageWriter out, LineView line) {
    Wire.write(out, line.resource());
    Wire.write(out, line.shape());
    out.putInt(line.tickets().size());
    for (TicketView ticket : line.tickets()) {
      out.put(
          switch (ticket.state()) {
            case HOLDING -> 'h';
            case REVOKED -> 'r';
            case WAITING -> 'w';
          });
      Wire.write(out, ticket.owner());
      out.putLong(ticket.token()).putInt(ticket.weight());
      out.put(ticket.age()).put(ticket.leaseLeft());
    }
    out.put(line.marked().isPresent());
    line.marked().ifPresent(out::put);
    out.put(line.unlisted());
  }

  private static LineView readLine(MessageReader in) throws MalformedMessageException {
    Resource resource = Wire.readResource(in);
    var shape = Wire.readShape(in);
    int count = in.getCount();
    List<TicketView> tickets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte state = in.get();
      tickets.add(
          new TicketView(
              switch (state) {
                case 'h' -> TicketView.State.HOLDING;
                case 'r' -> TicketView.State.REVOKED;
                case 'w' -> TicketView.State.WAITING;
                default -> throw Wire.unknown("state", state);
              },
              Wire.readOwner(in),
              in.getLong(),
              in.getInt(),
              in.getDuration(),
              in.getDuration()));
    }
    Optional<Duration> marked = in.getFlag() ? Optional.of(in.getDuration()) : Optional.empty();
    return new LineView(resource, shape, tickets, marked, in.getFlag());
  }
}
