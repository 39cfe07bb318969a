package io.holdfast.runtime.primitive;

import io.holdfast.DistributedLock;
import io.holdfast.Election;
import io.holdfast.runtime.client.Client;

/** An election by a mutex. */
public final class MutexElection implements Election {

  private final Client client;
  private final DistributedLock lock;

  public MutexElection(Client client, DistributedLock lock) {
    this.client = client;
    this.lock = lock;
  }

  @Override
  public Candidacy stand(Candidate candidate) {
    MutexCandidacy candidacy = new MutexCandidacy(client, lock, candidate);
    candidacy.stand();
    return candidacy;
  }
}
