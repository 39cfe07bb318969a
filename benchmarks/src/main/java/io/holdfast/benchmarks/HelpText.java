package io.holdfast.benchmarks;

/** What {@code --help} says. */
final class HelpText {

  static final String TEXT =
      """
      Usage: ./holdfast bench [--store URI] [--threads n] [--time 1s] [--rounds n] [--svg FILE]
                              [--json]
             ./holdfast bench --peers [--store URI] [options]
             ./holdfast bench [suite] [options]

      The first is Holdfast alone over your store, in about twenty seconds: the program's own bench,
      with the store that its other commands use. It is run as long as nothing below is asked for.
      --peers without names is the suite of that store, of HOLDFAST_STORE, or memory.

      Suites, which bring their own races and bars
        memory             the in-process engine and the JDK's own lock, about a minute; this
                           is the usual one for --check, --only and --seconds
        redis              Holdfast over Redis and the libraries there, about ten minutes, on a
                           server of its own, unless one is given with --store redis://host:port
        etcd               Holdfast over etcd and the lock that etcd has, about seven minutes,
                           on a server of its own, unless one is given with --store etcd://…
        postgres           Holdfast over PostgreSQL and the libraries there, less than six
                           minutes, on a server of its own, with its default durability, unless
                           one is given with --store jdbc:postgresql://…
        mariadb            the same over MariaDB, less than four minutes
        sqlite             Holdfast over a file that processes share, about half a minute
        ids                id generators and AtomicLong, CosId, tsid-creator and uuid-creator,
                           about three minutes; --quick: half a minute; starts a Redis
        zookeeper          Holdfast over ZooKeeper and Curator's recipes, about seven minutes, on
                           a server of its own, unless one is given with --store zookeeper://…
        --only TEXT        just the races whose headings contain this

      Who takes part
        --store URI        Holdfast over this store; may be repeated (default: memory:, unless
                           --peers is given); redis:, etcd:, jdbc:postgresql: and jdbc:mariadb: start a
                           server for the run, jdbc:sqlite: is a file of the run; "-" is the one
                           in HOLDFAST_STORE, from where alone one with a password is taken
        --peers a,b        reentrant, reentrant-fair, file-lock; over the Redis server of --store,
                           or one for the run: redisson, redisson-fair, redisson-fenced,
                           spring-redis-spin, spring-redis-pubsub, jedis-set-nx (the floor);
                           over its etcd, or one for the run: jetcd-lock, etcd-txn (the floor);
                           over its database, or a PostgreSQL for the run: spring-jdbc, shedlock,
                           raw-row (the floor), raw-advisory (PostgreSQL's floor of sessions);
                           over its ZooKeeper: curator-mutex, curator-semaphore,
                           curator-framework, zookeeper-raw
        --order any|fifo   of Holdfast's locks (default: any)

      What they do
        --mode own         every thread has a name of its own (default)
        --mode mixed       the same, but every tenth name is wanted by two
        --mode shared      all threads want one name
        --mode processes   the threads of several JVMs want one name
        --mode processes-own  every thread of several JVMs has a name of its own
        --mode held        one caller and many held locks, which are renewed all the while
        --mode cold        one JVM after another connects and takes its first lock; the waits are
                           from the connecting to the lock
        --threads n        threads of a process (default: 16; for processes: 4)
        --processes n      with --mode processes or processes-own (default: 3)
        --held n           with --mode held (default: 10000); the lease is half a second shorter
                           than a round, at most 30 s; peers always have 30 s
        --section 0|200us  work while holding the lock (default: 0)

      How it is measured
        --seconds s        length of a round (default: 2; held: 2.5; memory: 0.5; the other
                           suites: 1)
        --rounds n         rounds that count (default: 5), after one to warm up, which is five times
                           as long, at most 5 s (45 s in races of several processes in order
                           FIFO); contenders take turns, round by round, so that a noisy machine
                           treats them alike
        --profile          then one more round each: where time and memory go

      What comes out
        --json FILE        all figures
        --svg FILE         a chart
        --check            for suites: exit with 1 if a bar is missed

        --jmh [arguments]  JMH's micro-benchmarks instead; the arguments are JMH's own

      Figures are medians of the rounds; the spread is how far apart the fastest and the slowest
      round are; the longest wait is that of all rounds; least/most is the smallest share of a
      thread (or process) as a part of the largest; Jain's index is 1 when all shares are equal.
      B/op and CPU/op are what the calling threads allocated and how long they ran for one acquire
      and release; they change little when others use the machine too.
      Bars that compare contenders are medians of the ratios of each round.
      The load is a closed loop: a thread asks again as soon as it has released.

      Every contender is checked while it runs. If two callers were in at once, or a token did not
      rise, the run fails with exit code 1. Bad options exit with 64, and a
      store that does not reply with 69.
      """;

  private HelpText() {}
}
