package io.holdfast.zookeeper;

import io.holdfast.spi.Shape;
import io.holdfast.spi.Ticket;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * How tickets get their nodes. A join is one transaction: the namespace is of the generation that
 * we know, the node is made, and the resource's node is written to. That last step changes nothing
 * but the version, by which {@link SizeRecords} can tell that somebody has joined; what it answers
 * is the number of children, the transaction's number, which is the token, and the store's time.
 * Whoever is the only child is in, without another look.
 *
 * <p>Joins of several resources are one transaction. It fails as a whole, and was not executed
 * then: each is done by itself.
 */
final class Joins {

  private static final int TRIES = 20;
  private static final byte[] NOTHING = {};
  private static final Set<Code> ANSWERS =
      EnumSet.of(Code.NODEEXISTS, Code.NONODE, Code.BADVERSION, Code.NOAUTH, Code.INVALIDACL);

  /** One that wants in, as the shape that it states. */
  record Entrant(Ticket ticket, Shape shape, Spot spot) {}

  private final Words words;
  private final Books books;

  Joins(Words words, Books books) {
    this.words = words;
    this.books = books;
  }

  /** Joins them in one trip, if that can be; answers in their order whether each is alone. */
  List<CompletableFuture<Boolean>> join(Session session, List<Entrant> entrants) {
    Map<Entrant, CompletableFuture<Boolean>> answers = new LinkedHashMap<>();
    List<Entrant> together = new ArrayList<>();
    for (Entrant entrant : entrants) {
      boolean simple =
          session.namespaces().known(entrant.ticket) != null && session.isKnown(entrant.spot.line);
      answers.put(entrant, simple ? new CompletableFuture<>() : alone(session, entrant, TRIES));
      if (simple) {
        together.add(entrant);
      }
    }
    if (!together.isEmpty()) {
      send(session, together, answers);
    }
    return List.copyOf(answers.values());
  }

  private void send(
      Session session, List<Entrant> some, Map<Entrant, CompletableFuture<Boolean>> answers) {
    List<Op> steps = new ArrayList<>();
    Map<String, Op> checks = new LinkedHashMap<>();
    for (Entrant each : some) {
      Namespaces.@Nullable Age age = session.namespaces().known(each.ticket);
      String path = session.namespaces().path(each.ticket);
      checks.put(path, Op.check(path, age == null ? Integer.MIN_VALUE : age.version()));
      addSteps(session, each, steps);
    }
    steps.addAll(0, checks.values());
    CompletableFuture<?> unused =
        session
            .wire()
            .multi(steps)
            .whenComplete(
                (results, failure) -> {
                  for (int i = 0; i < some.size(); i++) {
                    Entrant each = some.get(i);
                    CompletableFuture<Boolean> answer = Objects.requireNonNull(answers.get(each));
                    int first = checks.size() + 2 * i;
                    if (failure == null) {
                      complete(answer, each, results.subList(first, first + 2));
                    } else {
                      failed(session, each, failure, answer);
                    }
                  }
                });
  }

  /** Not executed as a whole: one of them was in the way, and each tries by itself. */
  private void failed(
      Session session, Entrant entrant, Throwable failure, CompletableFuture<Boolean> answer) {
    if (isDoubtful(failure)) {
      answer.completeExceptionally(failure);
    } else {
      Passing.on(alone(session, entrant, TRIES), answer);
    }
  }

  private void complete(
      CompletableFuture<Boolean> answer, Entrant entrant, List<OpResult> results) {
    try {
      joined(entrant, results.get(0), results.get(1));
      answer.complete(isAlone(results.get(1)));
    } catch (Words.Told e) {
      answer.completeExceptionally(e);
    }
  }

  private static void addSteps(Session session, Entrant entrant, List<Op> steps) {
    String line = entrant.spot.line;
    steps.add(
        session
            .wire()
            .creates(
                line + "/" + Child.seat(entrant.ticket, entrant.shape),
                SeatData.write(entrant.ticket, Entered.NO),
                CreateMode.EPHEMERAL_SEQUENTIAL));
    steps.add(Op.setData(line, NOTHING, -1));
  }

  /** A join by itself: whatever is missing is made, whatever is out of date is asked for. */
  private CompletableFuture<Boolean> alone(Session session, Entrant entrant, int tries) {
    return session
        .namespaces()
        .enter(entrant.ticket, words.refusals())
        .thenCompose(age -> alone(session, entrant, age, tries));
  }

  private CompletableFuture<Boolean> alone(
      Session session, Entrant entrant, Namespaces.Age age, int tries) {
    String line = entrant.spot.line;
    boolean known = session.isKnown(line);
    List<Op> steps = new ArrayList<>();
    steps.add(Op.check(session.namespaces().path(entrant.ticket), age.version()));
    if (!known) {
      steps.add(session.wire().creates(line, NOTHING, CreateMode.CONTAINER));
    }
    addSteps(session, entrant, steps);
    return Passing.then(
        session.wire().multi(steps),
        results -> {
          OpResult last = results.get(results.size() - 1);
          joined(entrant, results.get(results.size() - 2), last);
          session.know(line, true);
          return CompletableFuture.completedFuture(isAlone(last));
        },
        failure -> again(session, entrant, failure, tries));
  }

  /** What stood in the way of a transaction of ours is mended, a few times. */
  private CompletableFuture<Boolean> again(
      Session session, Entrant entrant, Throwable failure, int tries) {
    Code code = Words.code(failure);
    if (tries == 0 || isDoubtful(failure)) {
      return CompletableFuture.failedFuture(failure);
    } else if (code == Code.NODEEXISTS) {
      session.know(entrant.spot.line, true);
    } else if (code == Code.NONODE) {
      // The line, or the namespace, if somebody deleted all of it.
      session.know(entrant.spot.line, false);
      session.namespaces().forget(entrant.ticket);
    } else if (code == Code.BADVERSION) {
      session.namespaces().forget(entrant.ticket);
    } else {
      return CompletableFuture.failedFuture(failure);
    }
    return alone(session, entrant, tries - 1);
  }

  /** The store has answered if it names a step that could not be done. */
  private static boolean isDoubtful(Throwable failure) {
    Code code = Words.code(failure);
    return code == null || !ANSWERS.contains(code);
  }

  private void joined(Entrant entrant, OpResult made, OpResult written) {
    Spot spot = entrant.spot;
    String path = ((OpResult.CreateResult) made).getPath();
    spot.name = path.substring(spot.line.length() + 1);
    spot.place = ((Child.Seat) Child.of(spot.name)).place();
    Stat stat = ((OpResult.SetDataResult) written).getStat();
    spot.token = words.token(entrant.ticket, stat.getMzxid());
    spot.version = 0;
    spot.weight = entrant.ticket.weight();
    spot.stated = entrant.shape.capacity();
    spot.joinedMillis = stat.getMtime();
    spot.joinedNanos = books.now();
    spot.phase = Spot.Phase.WAITING;
  }

  private static boolean isAlone(OpResult written) {
    return ((OpResult.SetDataResult) written).getStat().getNumChildren() == 1;
  }

  /**
   * The node of a ticket whose join was not answered, if it is there and of this session. It is
   * looked for behind a write: the server that we are connected to now may not know yet what was
   * done through another one. One that arrives even later is taken out by whoever looks next, or
   * after the ticket has left: see {@link Spot#doubtful}.
   */
  CompletableFuture<Boolean> recover(Ticket ticket, Spot spot) {
    spot.doubtful = true;
    return spot.session
        .catchUp(books::now)
        .thenCompose(done -> spot.session.wire().children(spot.line, null))
        .thenCompose(
            children -> adopt(ticket, spot, Roll.of(children).of(ticket.id().encoded()), 0))
        .exceptionallyCompose(
            failure ->
                Words.code(failure) == Code.NONODE
                    ? CompletableFuture.completedFuture(false)
                    : CompletableFuture.failedFuture(failure));
  }

  /** A node of an earlier session is about to vanish: it must not pass for ours. */
  private CompletableFuture<Boolean> adopt(
      Ticket ticket, Spot spot, List<Child.Seat> mine, int next) {
    if (next == mine.size()) {
      return CompletableFuture.completedFuture(false);
    }
    Child.Seat seat = mine.get(next);
    return spot.session
        .wire()
        .exists(spot.line + "/" + seat.name())
        .thenCompose(
            found -> {
              if (found.isEmpty() || found.get().getEphemeralOwner() != spot.session.id()) {
                return adopt(ticket, spot, mine, next + 1);
              }
              spot.name = seat.name();
              spot.place = seat.place();
              spot.token = words.token(ticket, found.get().getCzxid());
              spot.weight = seat.weight();
              spot.stated = seat.shape().capacity();
              spot.joinedNanos = books.now();
              spot.joinedMillis = spot.session.storeMillis(books.now());
              spot.phase = Spot.Phase.WAITING;
              return CompletableFuture.completedFuture(true);
            });
  }
}
