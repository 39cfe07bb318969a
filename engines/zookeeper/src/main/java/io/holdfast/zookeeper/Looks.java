package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import io.holdfast.spi.Token;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * Where a ticket that has a node stands. A list of the children that was asked for after the node
 * was made shows everyone who came before, on whatever server: it may only miss that some of them
 * have left. So who sees itself in, is in; who does not, watches the right one, and looks again if
 * that one is gone already.
 */
final class Looks {

  private static final int TRIES = 100;

  private final Words words;
  private final Books books;
  private final Marks marks;

  Looks(Words words, Books books, Marks marks) {
    this.words = words;
    this.books = books;
    this.marks = marks;
  }

  /** Looks after a write of its own, and arms a signal if the ticket must wait. */
  CompletableFuture<Standing> look(Ticket ticket, Spot spot) {
    return look(ticket, spot, TRIES);
  }

  /** Looks at what stands now, wherever it was written. */
  CompletableFuture<Standing> lookAgain(Ticket ticket, Spot spot) {
    return spot.session.catchUp(books::now).thenCompose(done -> look(ticket, spot));
  }

  private CompletableFuture<Standing> look(Ticket ticket, Spot spot, int tries) {
    if (tries == 0) {
      return refuse(
          new EngineException.NotDone(
              words.refusals().about(ticket) + " changes too quickly to be seen", null));
    }
    return spot.session
        .wire()
        .children(spot.line, null)
        .thenCompose(children -> judge(ticket, spot, Roll.of(children), tries, false));
  }

  private CompletableFuture<Standing> judge(
      Ticket ticket, Spot spot, Roll roll, int tries, boolean armed) {
    if (!roll.marks().isEmpty()) {
      return marked(ticket, spot, roll, tries);
    }
    Optional<EngineException> misfit = misfit(ticket, spot, roll);
    if (misfit.isPresent()) {
      EngineException why = misfit.get();
      return leave(spot).thenCompose(gone -> refuse(why));
    }
    spot.accepted = true;
    spot.resized = !roll.resizes().isEmpty();
    if (spot.resized) {
      marks.sweep(spot, roll.oldResizes());
    }
    Roll.View view = roll.as(ticket.shape());
    int index = view.indexOf(spot.name);
    if (index < 0) {
      // Deleted by somebody else: the place is lost, and the ticket comes anew.
      books.remove(spot);
      return refuse(
          new EngineException.NotDone(
              "the node of " + words.refusals().about(ticket) + " was deleted", null));
    }
    return view.isIn(index)
        ? CompletableFuture.completedFuture(granted(spot, view))
        : waits(ticket, spot, view, index, tries, armed);
  }

  private CompletableFuture<Standing> marked(Ticket ticket, Spot spot, Roll roll, int tries) {
    return marks
        .left(spot, roll.marks())
        .thenCompose(
            left ->
                left.isPresent() ? done(ticket, spot, left.get()) : look(ticket, spot, tries - 1));
  }

  /** The ticket is in. */
  Standing granted(Spot spot, Roll.View view) {
    spot.wanted = view.wanted();
    books.isIn(spot);
    return granted(spot);
  }

  /** The ticket is in, and nobody else is there. */
  Standing granted(Spot spot) {
    long left = spot.session.belief().left(books.now());
    return new Standing.Granted(spot.token, Duration.ofNanos(Math.max(0, left)), spot.wanted);
  }

  /** A ticket that was not looked at before must be of the shape that the line has. */
  private Optional<EngineException> misfit(Ticket ticket, Spot spot, Roll roll) {
    Shape stored = roll.shape().orElse(ticket.shape());
    boolean first = !roll.seats().isEmpty() && roll.seats().get(0).name().equals(spot.name);
    if (!spot.accepted && !first && !ticket.shape().fits(stored)) {
      return Optional.of(words.refusals().shape(ticket, stored));
    }
    int capacity = roll.as(ticket.shape()).capacity();
    if (!spot.accepted && ticket.shape().capacity() == Shape.ADOPT && spot.stated != capacity) {
      // Resized while it came: what its node states must be what stands.
      return Optional.of(
          new EngineException.NotDone(
              words.refusals().about(ticket) + " was resized just now", null));
    }
    return ticket.weight() > capacity && (!first || spot.accepted)
        ? Optional.of(words.refusals().heavierThanCapacity(ticket, capacity))
        : Optional.empty();
  }

  private CompletableFuture<Standing> done(Ticket ticket, Spot spot, Duration left) {
    return leave(spot)
        .thenCompose(
            gone ->
                ticket.shape().kind() == Shape.Kind.ONCE
                    ? CompletableFuture.completedFuture(new Standing.Done(left))
                    : refuse(words.refusals().shape(ticket, Shape.once())));
  }

  private CompletableFuture<Standing> waits(
      Ticket ticket, Spot spot, Roll.View view, int index, int tries, boolean armed) {
    spot.ahead = index;
    spot.lookedAt = books.now();
    if (!ticket.waits()) {
      CompletableFuture<Optional<Standing.Holder>> holder = holder(spot, view);
      return leave(spot).thenCombine(holder, (gone, who) -> waiting(spot, who));
    }
    Optional<Child.Seat> watched = view.watched(index);
    if (watched.isEmpty()) {
      return armed ? told(spot, view) : armLine(ticket, spot, tries);
    }
    return armOne(ticket, spot, view, watched.get(), tries);
  }

  /** Watches the one ahead that must go in any case; looks again if it is gone already. */
  private CompletableFuture<Standing> armOne(
      Ticket ticket, Spot spot, Roll.View view, Child.Seat watched, int tries) {
    String path = spot.line + "/" + watched.name();
    Bell bell = spot.session.bells().ofNode(path);
    boolean isAlone = spot.ahead == 1 && ticket.shape().kind() == Shape.Kind.MUTEX;
    spot.listensTo(bell, path, isAlone);
    CompletableFuture<Wire.Node> arms = spot.session.wire().data(path, bell);
    boolean first = watched.equals(view.seats().get(0));
    CompletableFuture<Optional<Standing.Holder>> holder =
        first ? arms.thenApply(Looks::holder) : holder(spot, view);
    return Passing.then(
        arms,
        node -> holder.thenApply(who -> waiting(spot, who)),
        failure -> {
          spot.forgetBell();
          spot.suspect();
          return Words.code(failure) == Code.NONODE
              ? look(ticket, spot, tries - 1)
              : CompletableFuture.failedFuture(failure);
        });
  }

  /** Any change of the line may make room: the list that is judged next is armed itself. */
  private CompletableFuture<Standing> armLine(Ticket ticket, Spot spot, int tries) {
    Bell bell = spot.session.bells().ofChildren(spot.line);
    spot.listensTo(bell, null, false);
    return spot.session
        .wire()
        .children(spot.line, bell)
        .thenCompose(children -> judge(ticket, spot, Roll.of(children), tries - 1, true));
  }

  private CompletableFuture<Standing> told(Spot spot, Roll.View view) {
    return holder(spot, view).thenApply(who -> waiting(spot, who));
  }

  private CompletableFuture<Optional<Standing.Holder>> holder(Spot spot, Roll.View view) {
    return spot.session
        .wire()
        .data(spot.line + "/" + view.seats().get(0).name(), null)
        .handle((node, failure) -> failure == null ? holder(node) : Optional.empty());
  }

  private static Optional<Standing.Holder> holder(Wire.Node node) {
    SeatData data = SeatData.read(node.data());
    Stat stat = node.stat();
    return Optional.of(
        new Standing.Holder(
            data.owner(), Token.of(data.generation(), stat.getCzxid()), data.lease()));
  }

  private Standing waiting(Spot spot, Optional<Standing.Holder> holder) {
    spot.holder = holder;
    return waiting(spot);
  }

  /** As it was told last; a signal is armed. */
  Standing waiting(Spot spot) {
    return new Standing.Waiting(spot.ahead, Duration.ofNanos(books.leaseNanos() / 3), spot.holder);
  }

  /** Takes the ticket out; nothing of it stays. */
  private CompletableFuture<Boolean> leave(Spot spot) {
    return spot.session
        .wire()
        .remove(spot.node())
        .whenComplete(
            (gone, failure) -> {
              if (failure == null) {
                books.remove(spot);
              }
            });
  }

  private static CompletableFuture<Standing> refuse(EngineException why) {
    return CompletableFuture.failedFuture(new Words.Told(why));
  }

  /** The line as it stands now, for one that has no node in it. */
  CompletableFuture<Roll> peek(Session session, String line) {
    return session
        .catchUp(books::now)
        .thenCompose(done -> session.wire().children(line, null))
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? CompletableFuture.completedFuture(List.of())
                    : CompletableFuture.failedFuture(failure))
        .thenApply(Roll::of);
  }

  /** How long a mark stays, for one that has no node in the line; those that are over go. */
  CompletableFuture<Optional<Duration>> done(Session session, Ticket ticket, Roll roll) {
    return marks.left(
        session, lineOf(session, ticket), roll.marks(), session.storeMillis(books.now()));
  }

  /** What one that does not wait is told without a node of its own. */
  CompletableFuture<Standing> turnedAway(Ticket ticket, Session session, Roll roll) {
    Spot passing = new Spot(ticket, session, lineOf(session, ticket));
    Roll.View view = roll.as(ticket.shape());
    passing.ahead = view.seats().size();
    return told(passing, view);
  }

  private static String lineOf(Session session, Ticket ticket) {
    return session.namespaces().line(ticket);
  }
}
