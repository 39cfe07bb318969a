package io.holdfast.cli.bench;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the threads of one process do.
 *
 * @param names of all processes, shared out among the threads, over and over
 * @param first the number of this process's first thread; its others follow
 * @param section how long a thread works while it holds the lock
 */
public record Workload(List<String> names, int first, int threads, Duration section) {

  public Workload {
    names = List.copyOf(names);
  }

  /** A name for each thread. */
  public static Workload own(String prefix, int threads, Duration section) {
    return own(prefix, 1, threads, section);
  }

  /** For the first of several processes: a name for each thread of each. */
  public static Workload own(String prefix, int processes, int threads, Duration section) {
    List<String> names =
        IntStream.range(0, processes * threads).mapToObj(i -> prefix + "/" + i).toList();
    return new Workload(names, 0, threads, section);
  }

  /** A name for each of ten threads; one more wants what another one wants. */
  public static Workload mixed(String prefix, int threads, Duration section) {
    int names = (threads * 10 + 10) / 11;
    List<String> each = IntStream.range(0, names).mapToObj(i -> prefix + "/" + i).toList();
    return new Workload(each, 0, threads, section);
  }

  /** One name for all threads. */
  public static Workload shared(String name, int threads, Duration section) {
    return new Workload(List.of(name), 0, threads, section);
  }

  /** What another one of several processes does that have as many threads each. */
  public Workload ofProcess(int process) {
    return new Workload(names, process * threads, threads, section);
  }

  /** Which name a thread wants. */
  public int cellOf(int thread) {
    return (first + thread) % names.size();
  }

  /** How often each name was held, if the threads did so many rounds each. */
  public long[] byCell(List<Long> shares) {
    long[] done = new long[names.size()];
    for (int thread = 0; thread < shares.size(); thread++) {
      done[cellOf(thread)] += shares.get(thread);
    }
    return done;
  }
}
