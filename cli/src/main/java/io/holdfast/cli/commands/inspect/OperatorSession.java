package io.holdfast.cli.commands.inspect;

import io.holdfast.Holdfast;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.store.StoreOption;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.Verdict;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * An operator's connection to a store.
 *
 * <p>Each call blocks until the store replies; a call that fails ends the command with a message
 * and an exit code.
 */
final class OperatorSession implements AutoCloseable {

  /** How often a busy store is asked. */
  private static final int TRIES = 3;

  private static final int PAGE = 500;

  private final Holdfast holdfast;
  private final EngineInspector inspector;

  /** Creates a session that is closed with the client. */
  OperatorSession(Holdfast holdfast, EngineInspector inspector) {
    this.holdfast = holdfast;
    this.inspector = inspector;
  }

  /**
   * Opens it.
   *
   * @throws CliException when the store has no operator's side, or is within this process alone
   */
  static OperatorSession open(StoreOption store) {
    Holdfast holdfast = store.openShared();
    Optional<EngineInspector> inspector = holdfast.inspector();
    if (inspector.isEmpty()) {
      String address = holdfast.traits().store();
      holdfast.close();
      throw new CliException(
          ExitCode.REFUSED,
          address + " cannot be looked into: its servers know nothing of each other's locks");
    }
    return new OperatorSession(holdfast, inspector.get());
  }

  /** The store's address, for people. */
  String store() {
    return holdfast.traits().store();
  }

  /** The names' namespace. */
  String namespace() {
    return holdfast.options().namespace();
  }

  /**
   * The lines that are wanted, in the order of their names' bytes.
   *
   * @param limit how many at most
   */
  List<LineView> lines(NamePattern names, Predicate<LineView> wanted, int limit) {
    List<LineView> found = new ArrayList<>();
    String after = "";
    while (true) {
      String from = after;
      List<LineView> page = ask(() -> inspector.list(namespace(), names.prefix(), from, PAGE));
      for (LineView line : page) {
        if (names.matches(line.resource().name()) && wanted.test(line)) {
          found.add(line);
        }
        if (found.size() == limit) {
          return found;
        }
      }
      if (page.size() < PAGE) {
        return found;
      }
      after = page.get(page.size() - 1).resource().name();
    }
  }

  /** One line, if anybody stands in it or a mark is on it. */
  Optional<LineView> show(String name) {
    Resource resource = resource(name);
    return ask(() -> inspector.show(resource));
  }

  /**
   * Takes a grant away if it is still current.
   *
   * @throws EngineException.Unknown when nobody knows whether that was done
   */
  Verdict release(String name, long token, String reason, boolean atOnce)
      throws EngineException.Unknown {
    Resource resource = resource(name);
    return answer(
        () ->
            atOnce
                ? inspector.evict(resource, token, reason)
                : inspector.revoke(resource, token, reason));
  }

  private Resource resource(String name) {
    try {
      return new Resource(namespace(), name);
    } catch (IllegalArgumentException e) {
      throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  /** A question to the store. */
  private interface Question<T> {
    T ask() throws EngineException;
  }

  /** For reads: no reply is a failure. */
  private static <T> T ask(Question<T> question) {
    try {
      return answer(question);
    } catch (EngineException.Unknown e) {
      throw trouble(e);
    }
  }

  /** Asks again what surely was not done: all questions here may be repeated. */
  private static <T> T answer(Question<T> question) throws EngineException.Unknown {
    for (int tries = 1; ; tries++) {
      try {
        return question.ask();
      } catch (EngineException.Unknown e) {
        throw e;
      } catch (EngineException e) {
        if (!(e instanceof EngineException.NotDone) || tries == TRIES) {
          throw trouble(e);
        }
      }
    }
  }

  private static CliException trouble(EngineException e) {
    int code = e instanceof EngineException.Refused ? ExitCode.REFUSED : ExitCode.STORE;
    return new CliException(code, String.valueOf(e.getMessage()));
  }

  @Override
  public void close() {
    holdfast.close();
  }
}
