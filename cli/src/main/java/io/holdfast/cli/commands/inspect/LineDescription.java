package io.holdfast.cli.commands.inspect;

import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import io.holdfast.spi.Owner;
import io.holdfast.spi.Shape;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Describes the holders and waiters of a line, as text and as JSON. */
record LineDescription(LineView line) {

  String name() {
    return line.resource().name();
  }

  /** The holders, revoked ones included. */
  List<TicketView> holders() {
    return line.tickets().stream().filter(t -> t.state() != TicketView.State.WAITING).toList();
  }

  /** The waiters, in the order of the line. */
  List<TicketView> waiters() {
    return line.tickets().stream().filter(t -> t.state() == TicketView.State.WAITING).toList();
  }

  /** How many wait, as far as the store knows. */
  String waiting() {
    String listed = String.valueOf(waiters().size());
    return line.unlisted() ? (waiters().isEmpty() ? "some" : listed + "+") : listed;
  }

  /** The same for one lock, with the reason where they are not all known. */
  String waitingInWords() {
    if (line.unlisted()) {
      return waiting() + ": this store lists waiters of order FIFO only";
    }
    return waiters().isEmpty() ? "nobody" : waiting();
  }

  /** {@code held}, {@code cooling} when only the mark of a finished run is there, {@code free}. */
  String state() {
    if (!holders().isEmpty()) {
      return "held";
    }
    return line.marked().isPresent() ? "cooling" : "free";
  }

  /** What it is used as, in few words. */
  String kind() {
    Shape shape = line.shape();
    return switch (shape.kind()) {
      case MUTEX -> shape.order().name().equals("FIFO") ? "mutex fifo" : "mutex";
      case SEMAPHORE -> "semaphore " + used() + "/" + shape.capacity();
      case READ_WRITE -> "read/write";
      case ONCE -> "once";
    };
  }

  /** How much of the capacity the holders have. */
  private int used() {
    return holders().stream().mapToInt(TicketView::weight).sum();
  }

  /**
   * Whether a holder or waiter has this in its label: application, host, text or thread. A mark is
   * nobody's, so it is there only where nobody is named.
   */
  boolean isOf(String owner) {
    return owner.isEmpty()
        || line.tickets().stream().anyMatch(ticket -> label(ticket.owner()).contains(owner));
  }

  /** The label of an owner, without quotes and control characters. */
  static String label(Owner owner) {
    String quoted = owner.toString();
    return quoted.substring(1, quoted.length() - 1);
  }

  /** All of it; tokens are texts, as many readers round large numbers. */
  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("namespace", line.resource().namespace());
    json.put("name", name());
    json.put("state", state());
    json.put("kind", line.shape().kind().name().toLowerCase(Locale.ROOT));
    json.put("order", line.shape().order().name().toLowerCase(Locale.ROOT));
    json.put("capacity", line.shape().capacity());
    json.put("holders", holders().stream().map(LineDescription::json).toList());
    json.put("waiters", waiters().stream().map(LineDescription::json).toList());
    json.put("unlistedWaiters", line.unlisted());
    json.put("markedMillis", line.marked().map(Duration::toMillis));
    return json;
  }

  /** A ticket; a waiting ticket has no token. */
  static Map<String, Object> json(TicketView ticket) {
    Owner owner = ticket.owner();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("state", ticket.state().name().toLowerCase(Locale.ROOT));
    json.put("app", owner.app());
    json.put("host", owner.host());
    json.put("pid", owner.pid());
    json.put("thread", owner.thread());
    json.put("text", owner.text());
    boolean waits = ticket.state() == TicketView.State.WAITING;
    json.put("token", waits ? Optional.empty() : String.valueOf(ticket.token()));
    json.put("weight", ticket.weight());
    json.put("ageMillis", ticket.age().toMillis());
    json.put("leaseLeftMillis", ticket.leaseLeft().toMillis());
    return json;
  }
}
