package io.holdfast.zookeeper;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Shape;
import io.holdfast.spi.Standing;
import io.holdfast.spi.Ticket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Where a ticket that has a node stands. A list of the children that was asked for after the node
 * was made shows everyone who came before, on whatever server: it may only miss that some of them
 * have left. So who sees itself in, is in; who does not, watches the right one, and looks again if
 * that one is gone already.
 */
final class Looks {

  private static final int TRIES = 100;

  private final Words words;
  private final Misfits misfits;
  private final Books books;
  private final Marks marks;
  private final Permits permits;
  private final Watches watches;

  Looks(Words words, Books books, Marks marks, Permits permits) {
    this.words = words;
    this.misfits = new Misfits(words);
    this.books = books;
    this.marks = marks;
    this.permits = permits;
    this.watches = new Watches(this::letIn);
  }

  /** Looks after a write of its own, and arms a signal if the ticket must wait. */
  CompletableFuture<Standing> look(Ticket ticket, Spot spot) {
    return look(ticket, spot, TRIES);
  }

  /**
   * Looks after its join.
   *
   * @param list was asked for behind the join; if it does not show it, it was not behind it
   */
  CompletableFuture<Standing> look(Ticket ticket, Spot spot, CompletableFuture<List<String>> list) {
    return list.handle((children, failure) -> failure == null ? children : List.<String>of())
        .thenCompose(
            children ->
                children.contains(spot.name)
                    ? judge(ticket, spot, spot.sight.read(children), TRIES, false)
                    : look(ticket, spot));
  }

  /** Looks at what stands now, wherever it was written. Costs the store no write. */
  CompletableFuture<Standing> lookAgain(Ticket ticket, Spot spot) {
    spot.session.sync(spot.line);
    return look(ticket, spot);
  }

  /**
   * Asks with reads alone whether a waiter still waits: its own node is there, and so is the one
   * that it watches, or the line is as it was seen. If anything is different, it looks.
   */
  CompletableFuture<Standing> poll(Ticket ticket, Spot spot) {
    spot.session.sync(spot.line);
    Optional<String> watched = spot.watchedNode();
    return spot.session
        .wire()
        .changes(List.of(spot.node(), watched.orElse(spot.line)))
        .thenCompose(
            found -> {
              OptionalLong other = found.get(1);
              boolean same =
                  found.get(0).isPresent()
                      && other.isPresent()
                      && (watched.isPresent() || other.getAsLong() == spot.change());
              return same && !spot.mustLook() ? stillWaits(spot) : look(ticket, spot);
            });
  }

  private CompletableFuture<Standing> look(Ticket ticket, Spot spot, int tries) {
    if (tries == 0) {
      return refuse(
          new EngineException.NotDone(
              words.refusals().about(ticket) + " changes too quickly to be seen", null));
    }
    if (isSemaphore(ticket) && spot.version == Spot.UNKNOWN) {
      return permits
          .isIn(ticket, spot)
          .thenCompose(
              in -> {
                if (in) {
                  books.isIn(spot);
                }
                return in
                    ? CompletableFuture.completedFuture(granted(spot))
                    : list(ticket, spot, tries);
              });
    }
    return list(ticket, spot, tries);
  }

  private static boolean isSemaphore(Ticket ticket) {
    return ticket.shape().kind() == Shape.Kind.SEMAPHORE;
  }

  private CompletableFuture<Standing> list(Ticket ticket, Spot spot, int tries) {
    return spot.session
        .wire()
        .children(spot.line, null)
        .thenCompose(children -> judge(ticket, spot, spot.sight.read(children), tries, false));
  }

  private CompletableFuture<Standing> judge(
      Ticket ticket, Spot spot, Roll roll, int tries, boolean armed) {
    if (!roll.marks().isEmpty()) {
      return marked(ticket, spot, roll, tries);
    }
    List<Child.Seat> strays = Strays.of(spot, roll);
    if (!strays.isEmpty()) {
      return Strays.remove(spot, strays).thenCompose(gone -> look(ticket, spot, tries - 1));
    }
    Optional<EngineException> misfit = misfits.of(ticket, spot, roll);
    if (misfit.isPresent()) {
      EngineException why = misfit.get();
      return leave(spot).thenCompose(gone -> refuse(why));
    }
    accept(spot, roll);
    Roll.View view = roll.as(ticket.shape());
    int index = view.indexOf(spot.name);
    if (index < 0) {
      // Deleted by somebody else: the place is lost, and the ticket comes anew.
      books.remove(spot);
      return refuse(
          new EngineException.NotDone(
              "the node of " + words.refusals().about(ticket) + " was deleted", null));
    }
    return stands(ticket, spot, roll, view, index, tries, armed);
  }

  private static void accept(Spot spot, Roll roll) {
    spot.accepted = true;
    spot.resized = !roll.resizes().isEmpty();
    if (spot.resized) {
      // Whether it worked is seen by whoever comes next.
      CompletableFuture<?> unused = SizeRecords.removeOld(spot.session.wire(), spot.line, roll);
    }
  }

  private CompletableFuture<Standing> stands(
      Ticket ticket, Spot spot, Roll roll, Roll.View view, int index, int tries, boolean armed) {
    spot.ahead = index;
    if (!view.isIn(index)) {
      return waits(ticket, spot, view, index, tries, armed);
    }
    return isSemaphore(ticket) || spot.resized
        ? permits
            .enter(ticket, spot, roll, view, index)
            .thenCompose(entry -> entered(ticket, spot, view, entry, tries, armed))
        : CompletableFuture.completedFuture(granted(spot, view));
  }

  private CompletableFuture<Standing> entered(
      Ticket ticket, Spot spot, Roll.View view, Permits.Entry entry, int tries, boolean armed) {
    if (entry instanceof Permits.Entry.In) {
      return CompletableFuture.completedFuture(granted(spot, view));
    } else if (entry instanceof Permits.Entry.Blocked blocked) {
      return waitsForAny(ticket, spot, blocked.by(), tries, armed);
    }
    return look(ticket, spot, tries - 1);
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

  /** The ticket is in; whether somebody waits is as it was known before. */
  Standing.Granted granted(Spot spot) {
    long left = spot.session.belief().left(books.now());
    return new Standing.Granted(spot.token, Duration.ofNanos(Math.max(0, left)), spot.wanted);
  }

  /**
   * A ticket was seen to be in by a list of the line: it is told so. A verb of it that is under way
   * comes first; if that changed anything, the ticket is to ask.
   */
  private void letIn(Ticket ticket, Spot spot) {
    CompletableFuture<?> unused =
        books
            .inTurn(ticket, () -> CompletableFuture.completedFuture(grantedNow(ticket, spot)))
            .whenComplete(
                (granted, failure) -> {
                  if (failure == null && granted.isPresent()) {
                    spot.letIn(granted.get());
                  } else {
                    spot.wake();
                  }
                });
  }

  private Optional<Standing.Granted> grantedNow(Ticket ticket, Spot spot) {
    boolean in =
        books.spot(ticket) == spot
            && spot.phase == Spot.Phase.WAITING
            && !spot.own.isGone()
            && spot.session.belief().left(books.now()) > 0;
    if (!in) {
      return Optional.empty();
    }
    books.isIn(spot);
    return Optional.of(granted(spot));
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
    Optional<Child.Seat> watched = view.watched(index);
    if (watched.isEmpty() || !ticket.waits()) {
      return waitsForAny(ticket, spot, view.seats().get(0), tries, armed);
    }
    spot.lookedAt = books.now();
    return watches
        .on(ticket, spot, view, watched.get())
        .thenCompose(
            there ->
                there
                    ? CompletableFuture.completedFuture(waiting(spot))
                    : look(ticket, spot, tries - 1));
  }

  /**
   * Any change of the line may let it in.
   *
   * @param by one that is in
   */
  private CompletableFuture<Standing> waitsForAny(
      Ticket ticket, Spot spot, Child.Seat by, int tries, boolean armed) {
    spot.lookedAt = books.now();
    if (!ticket.waits()) {
      CompletableFuture<Optional<Standing.Holder>> holder =
          Holders.at(spot.session, spot.line, by.name());
      return leave(spot).thenCombine(holder, (gone, who) -> waiting(spot, who));
    }
    return armed ? told(spot, by.name()) : armLine(ticket, spot, tries);
  }

  /** Any change of the line may make room: the list that is judged next is armed itself. */
  private CompletableFuture<Standing> armLine(Ticket ticket, Spot spot, int tries) {
    Bell bell = spot.session.bells().ofChildren(spot.line);
    spot.listensTo(bell);
    return Passing.then(
        spot.session.wire().listed(spot.line, bell),
        listed -> {
          spot.sawLine(listed.change());
          return judge(ticket, spot, spot.sight.read(listed.names()), tries - 1, true);
        },
        failure -> {
          bell.failed();
          spot.suspect();
          return CompletableFuture.failedFuture(failure);
        });
  }

  private CompletableFuture<Standing> told(Spot spot, String by) {
    return Holders.at(spot.session, spot.line, by).thenApply(who -> waiting(spot, who));
  }

  /** It still waits, and a signal is armed; who is in is asked for, if that is not known. */
  private CompletableFuture<Standing> stillWaits(Spot spot) {
    Optional<String> first = spot.sight.first().filter(name -> !name.equals(spot.name));
    return spot.holder.isEmpty() && first.isPresent()
        ? told(spot, first.get())
        : CompletableFuture.completedFuture(waiting(spot));
  }

  private Standing waiting(Spot spot, Optional<Standing.Holder> holder) {
    spot.holder = holder;
    return waiting(spot);
  }

  /** As it was told last; a signal is armed. */
  private Standing waiting(Spot spot) {
    return new Standing.Waiting(spot.ahead, books.askAgain(), spot.holder);
  }

  /** Takes the ticket out; nothing of it stays. */
  private CompletableFuture<Boolean> leave(Spot spot) {
    spot.leaving = true;
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
}
