package io.holdfast.torture;

import java.util.Locale;

/** What is done to workers, links and servers. */
enum FaultKind {
  /** SIGSTOP of a worker, then SIGCONT. */
  WORKER_STOPPED,
  /** The same, and its monotonic clock stands still meanwhile, as if its host were suspended. */
  WORKER_SUSPENDED,
  /** kill -9 of a worker; another one takes its place. */
  WORKER_KILLED,
  /** A worker's connections are reset, and new ones are refused. */
  LINK_CUT,
  /** Nothing passes between a worker and the servers, and neither side is notified. */
  LINK_HALF_OPEN,
  /** What servers send to a worker vanishes; what it sends arrives. */
  REPLIES_LOST,
  /** What a worker sends vanishes; what servers send arrives. */
  REQUESTS_LOST,
  /** Three of ten packets to a worker vanish. */
  LINK_LOSSY,
  /** One server cannot be reached by any worker; the other servers see it. */
  MEMBER_UNREACHABLE,
  /** kill -9 of a server, which is started again. */
  SERVER_KILLED,
  /** SIGSTOP of a server, then SIGCONT. */
  SERVER_STOPPED,
  /** All sessions of a database are ended by an administrator. */
  SESSIONS_ENDED,
  /** A replica is made the master on request, with nothing broken. */
  PLANNED_FAILOVER,
  /** kill -9 of the master or leader; another takes over; it comes back. */
  LEADER_KILLED,
  /** SIGSTOP of the master or leader, then SIGCONT. */
  LEADER_STOPPED,
  /** A member is cut off from the other members, but not from the workers. */
  MEMBER_CUT_OFF;

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
