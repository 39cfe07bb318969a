/*
 * Redlock with the fencing token as its ballot, by the rules of redlock/redlock-attempt.lua,
 * redlock/redlock-leave.lua and RedlockAttempt: three masters, two clients, every order of events.
 *
 *   -DORDER      Leases end at any moment, masters lose all they know (LOSSES times), their clocks
 *                only rise and are not related, clients propose any ballot, replies get lost.
 *                Checks that a token exceeds every one that was told before it was asked for.
 *   -DEXCLUSION  No lease ends and no master forgets. Requests get lost, lose their reply or come
 *                late, and so does what is taken back. Checks that two are never in together.
 *
 * What happens to a master by itself is seen only by the next request to it: so it happens there.
 *
 * Planted faults, which must be found:
 *   -DBUG_RESET  ORDER: a master that has forgotten starts at zero
 *   -DBUG_REUSE  EXCLUSION: a ballot that was taken back is used again
 *   -DBUG_UNDO   EXCLUSION: taking back does not look at the ballot
 */
#define MAJORITY 2
#define MISSING 15

byte counter[3], owner[3], with[3];

/*
 * The first client asks the masters in turn, the second, which asks once, in any order: what counts
 * is who comes first at each master, and all of that is there.
 */
#define IN_TURN(all) (me == 2 || (did & all) == all)

#ifdef ORDER
#define MAXP (MAXC + S)
byte clock[3];
byte told;             /* the highest ballot of all grants that were told */
byte losses = LOSSES;
#define LIMIT(n) (clock[n] + S)
#define GRAVE(n, c) 0
#else
#define EVERY 14
byte holders;
byte late[3], undo[3]; /* of the first client, by master: request, taking back */
byte grave[6];         /* tombstones, by master and client */
#define at(n, c) ((n) * 2 + (c) - 1)
#define LIMIT(n) MAXP
#define GRAVE(n, c) grave[at(n, c)]
#endif

/* redlock/redlock-attempt.lua: one step of a master; yes when the ticket is in with this ballot. */
inline ask(n, c, p) {
  yes = 0;
  if
  :: counter[n] == MISSING ->
#ifdef BUG_RESET
       counter[n] = 0
#else
       counter[n] = LIMIT(n)
#endif
  :: else -> skip
  fi;
  if
  :: p <= GRAVE(n, c) -> skip
  :: else ->
       if
       :: owner[n] == c && with[n] >= p -> yes = (with[n] == p)
       :: (owner[n] == 0 || (owner[n] == c && with[n] < p)) && p > counter[n] && p <= LIMIT(n) ->
            owner[n] = c; with[n] = p; counter[n] = p; yes = 1
       :: else -> skip
       fi
  fi
}

#ifdef ORDER

/* The lease has ended, all is lost, time has passed: any of it, or nothing. */
inline happens(n) {
  if
  :: owner[n] != 0 -> owner[n] = 0; with[n] = 0
  :: losses > 0 && counter[n] != MISSING ->
       losses--; counter[n] = MISSING; owner[n] = 0; with[n] = 0
  :: skip
  fi;
  do
  :: clock[n] < MAXC -> clock[n]++
  :: break
  od
}

/* A request: answered, run without an answer, or lost. */
inline send(n) {
  atomic {
    did = did | (1 << n);
    if
    :: happens(n); ask(n, me, p); acks = acks + yes; yes = 0
    :: happens(n); ask(n, me, p); yes = 0
    :: skip
    fi
  }
}

#else

/* redlock/redlock-leave.lua: takes out what was asked for up to this ballot, with a tombstone. */
inline leave(n, c, upTo) {
  if
  :: upTo > grave[at(n, c)] -> grave[at(n, c)] = upTo
  :: else -> skip
  fi;
  if
#ifdef BUG_UNDO
  :: owner[n] == c -> owner[n] = 0; with[n] = 0
#else
  :: owner[n] == c && with[n] <= upTo -> owner[n] = 0; with[n] = 0
#endif
  :: else -> skip
  fi
}

/* What was late has come, in any order, or not yet, or never will. */
inline happens(n) {
  do
  :: late[n] != 0 -> ask(n, 1, late[n]); late[n] = 0; yes = 0
  :: undo[n] != 0 -> leave(n, 1, undo[n]); undo[n] = 0
  :: break
  od
}

/*
 * A request: answered, or late, which is also how one is lost or loses its reply. The second client,
 * which asks once and takes nothing back, loses requests only.
 */
inline send(n) {
  atomic {
    did = did | (1 << n);
    happens(n);
    if
    :: ask(n, me, p); acks = acks + yes; yes = 0
    :: me == 1 && late[n] == 0 -> late[n] = p
    :: me == 2 -> skip
    fi
  }
}

/* Leaving or taking back: whenever the master can be reached, which may be at once. */
inline tell(n, upTo) {
  if
  :: me == 1 -> undo[n] = upTo
  :: else -> leave(n, me, upTo)
  fi
}

#endif

proctype client(byte me; byte attempts) {
  byte p, acks, k, did, yes, before;
  do
  :: k < attempts ->
     atomic {
       k++;
#ifdef ORDER
       select(p : 1 .. MAXP);
       before = told
#else
       /* Only the order of ballots counts: the first client has 1, then 2, the second any. */
       if
#ifdef BUG_REUSE
       :: me == 1 -> p = 1
#else
       :: me == 1 -> p = k
#endif
       :: else -> select(p : 1 .. MAXP)
       fi
#endif
     };
     do
     :: (did & 1) == 0 -> send(0)
     :: (did & 2) == 0 && IN_TURN(1) -> send(1)
     :: (did & 4) == 0 && IN_TURN(3) -> send(2)
     :: did == 7 -> break
     od;
     atomic {
       did = 0;
#ifdef ORDER
       if
       :: acks >= MAJORITY -> assert(p > before); told = (p > told -> p : told)
       :: else -> skip
       fi;
       p = 0; acks = 0; before = 0
#else
       if
       :: acks >= MAJORITY -> acks = 0; p = 0; holders++; assert(holders == 1)
       :: else -> tell(0, p); tell(1, p); tell(2, p); acks = 0; p = 0; goto next
       fi
#endif
     };
#ifdef EXCLUSION
     /* In until here. Leaving is for good, so this ticket is through. */
     atomic { holders--; tell(0, EVERY); tell(1, EVERY); tell(2, EVERY); goto through };
#endif
next:
     skip
  :: else -> goto through
  od;
through:
  skip
}

init {
  atomic {
#ifdef ORDER
    clock[0] = 1; clock[1] = 1; clock[2] = 1;
#endif
    run client(1, ATTEMPTS);
    run client(2, 1)
  }
}
