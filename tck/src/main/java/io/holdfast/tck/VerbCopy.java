package io.holdfast.tck;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.util.function.Consumer;

/** Copies of verbs whose results are observed or dropped. */
final class VerbCopy {

  private VerbCopy() {}

  /**
   * Returns a copy that forwards its result to the original verb.
   *
   * @param wake the wake of an attempt
   * @param seen receives the result or the failure first
   * @param pass runs the forwarding, now or later
   */
  static Verb forwarding(Verb verb, Wake wake, Consumer<Object> seen, Consumer<Runnable> pass) {
    if (verb instanceof Verb.Attempt a) {
      return new Verb.Attempt(a.ticket(), wake, new Forwarding<>(a, seen, pass, a::complete));
    } else if (verb instanceof Verb.Renew r) {
      return new Verb.Renew(r.ticket(), new Forwarding<>(r, seen, pass, r::complete));
    } else if (verb instanceof Verb.Leave l) {
      return new Verb.Leave(l.ticket(), l.inDoubt(), new Forwarding<>(l, seen, pass, l::complete));
    } else if (verb instanceof Verb.Settle s) {
      return new Verb.Settle(s.ticket(), s.keep(), new Forwarding<>(s, seen, pass, s::complete));
    }
    Verb.Resize z = (Verb.Resize) verb;
    return new Verb.Resize(z.ticket(), new Forwarding<>(z, seen, pass, z::complete));
  }

  /** Returns a copy whose result only the given consumer receives. */
  static Verb unanswered(Verb verb, Consumer<Object> seen) {
    if (verb instanceof Verb.Attempt a) {
      return new Verb.Attempt(a.ticket(), () -> {}, new Unanswered<>(seen));
    } else if (verb instanceof Verb.Renew r) {
      return new Verb.Renew(r.ticket(), new Unanswered<>(seen));
    } else if (verb instanceof Verb.Leave l) {
      return new Verb.Leave(l.ticket(), l.inDoubt(), new Unanswered<>(seen));
    } else if (verb instanceof Verb.Settle s) {
      return new Verb.Settle(s.ticket(), s.keep(), new Unanswered<>(seen));
    }
    return new Verb.Resize(verb.ticket(), new Unanswered<>(seen));
  }

  private record Forwarding<T>(
      Verb verb, Consumer<Object> seen, Consumer<Runnable> pass, Consumer<T> complete)
      implements Verb.Answer<T> {

    @Override
    public void answered(T answer) {
      seen.accept(answer);
      pass.accept(() -> complete.accept(answer));
    }

    @Override
    public void failed(EngineException failure) {
      seen.accept(failure);
      pass.accept(() -> verb.fail(failure));
    }
  }

  private record Unanswered<T>(Consumer<Object> seen) implements Verb.Answer<T> {

    @Override
    public void answered(T answer) {
      seen.accept(answer);
    }

    @Override
    public void failed(EngineException failure) {
      seen.accept(failure);
    }
  }
}
