package io.holdfast.tck;

import io.holdfast.spi.EngineException;
import io.holdfast.spi.Verb;
import io.holdfast.spi.Wake;
import java.util.function.Consumer;

/** Verbs like others, whose answers are seen on their way or go nowhere. */
final class Copied {

  private Copied() {}

  /**
   * A verb like this one that passes its answer on to it.
   *
   * @param wake for an attempt
   * @param seen gets the answer or the failure first
   * @param pass runs what passes it on, now or later
   */
  static Verb passing(Verb verb, Wake wake, Consumer<Object> seen, Consumer<Runnable> pass) {
    if (verb instanceof Verb.Attempt a) {
      return new Verb.Attempt(a.ticket(), wake, new Passing<>(a, seen, pass, a::complete));
    } else if (verb instanceof Verb.Renew r) {
      return new Verb.Renew(r.ticket(), new Passing<>(r, seen, pass, r::complete));
    } else if (verb instanceof Verb.Leave l) {
      return new Verb.Leave(l.ticket(), l.inDoubt(), new Passing<>(l, seen, pass, l::complete));
    } else if (verb instanceof Verb.Settle s) {
      return new Verb.Settle(s.ticket(), s.keep(), new Passing<>(s, seen, pass, s::complete));
    }
    Verb.Resize z = (Verb.Resize) verb;
    return new Verb.Resize(z.ticket(), new Passing<>(z, seen, pass, z::complete));
  }

  /** A verb like this one whose answer nobody but this hears. */
  static Verb unheard(Verb verb, Consumer<Object> seen) {
    if (verb instanceof Verb.Attempt a) {
      return new Verb.Attempt(a.ticket(), () -> {}, new Unheard<>(seen));
    } else if (verb instanceof Verb.Renew r) {
      return new Verb.Renew(r.ticket(), new Unheard<>(seen));
    } else if (verb instanceof Verb.Leave l) {
      return new Verb.Leave(l.ticket(), l.inDoubt(), new Unheard<>(seen));
    } else if (verb instanceof Verb.Settle s) {
      return new Verb.Settle(s.ticket(), s.keep(), new Unheard<>(seen));
    }
    return new Verb.Resize(verb.ticket(), new Unheard<>(seen));
  }

  private record Passing<T>(
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

  private record Unheard<T>(Consumer<Object> seen) implements Verb.Answer<T> {

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
