package io.holdfast.cli.commands.run;

import java.util.List;

/** Five machines whose cron starts the same line at the same second. */
interface Machines extends AutoCloseable {

  /** How many. */
  int COUNT = 5;

  /** One line on one machine. */
  interface Job {

    /** The process that runs it. */
    long pid();

    /** Kills that one process with -9. */
    void kill9();

    /** Waits for its end and returns what it ended with, 137 if it was killed. */
    int awaitCode();

    /** What it has to say for itself when something is not as it must be. */
    String words();
  }

  /** Starts the line on all of them, and returns when they are at it. */
  List<Job> tick(String... line) throws Exception;

  /** How long a line usually takes on them, from its start to its code. */
  int lifeMillis();

  @Override
  void close();
}
