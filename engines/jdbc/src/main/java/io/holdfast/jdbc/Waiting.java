package io.holdfast.jdbc;

import io.holdfast.jdbc.table.Answer;
import io.holdfast.spi.Verb;

/** Keeps in mind who waits, before and after each verb. Safe for several threads. */
interface Waiting {

  /** Nobody is signalled, so nobody is kept in mind. */
  Waiting NOT =
      new Waiting() {
        @Override
        public void before(Verb verb) {}

        @Override
        public void after(Answer answer) {}
      };

  /** The verb is about to be sent. */
  void before(Verb verb);

  /** The verb has its answer and is about to be told. */
  void after(Answer answer);
}
