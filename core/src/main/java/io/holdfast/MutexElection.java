package io.holdfast;

/** An election by a mutex. */
final class MutexElection implements Election {

  private final Client client;
  private final DistributedLock lock;

  MutexElection(Client client, DistributedLock lock) {
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
