package io.holdfast.spring;

import io.holdfast.Hold;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * Ties the transactions of one manager to the holds of their thread.
 *
 * <p>A transaction does not begin or commit under a hold that is known to be lost. Before its first
 * statement it claims the fence of each hold that asks for it, in the order of their names.
 */
final class HoldTransactionListener implements TransactionExecutionListener {

  private final String name;
  private final TransactionManager manager;
  private final BeanFactory beans;

  HoldTransactionListener(String name, TransactionManager manager, BeanFactory beans) {
    this.name = name;
    this.manager = manager;
    this.beans = beans;
  }

  @Override
  public void beforeBegin(TransactionExecution transaction) {
    List<HeldLock> chain = HoldChain.all();
    if (chain.isEmpty()) {
      return;
    }
    chain.forEach(held -> held.hold().ensureHeld());
    if (!toClaim(transaction, chain).isEmpty()) {
      new FenceClaims(name, manager, beans).prepare();
    }
  }

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
    if (beginFailure != null) {
      return;
    }
    List<HeldLock> claims = toClaim(transaction, HoldChain.all());
    if (claims.isEmpty()) {
      return;
    }
    try {
      new FenceClaims(name, manager, beans).claim(claims);
      HoldChain.addClaims(
          new Claimer(manager, transaction), claims.stream().map(HeldLock::hold).toList());
    } catch (RuntimeException | Error e) {
      rollBack(transaction, e);
      throw e;
    }
  }

  @Override
  public void beforeCommit(TransactionExecution transaction) {
    HoldChain.all().forEach(held -> held.hold().ensureHeld());
  }

  private List<HeldLock> toClaim(TransactionExecution transaction, List<HeldLock> chain) {
    if (transaction.isReadOnly()) {
      return List.of();
    }
    return chain.stream()
        .filter(this::isMine)
        .filter(held -> !isClaimed(held.hold()))
        .sorted(Comparator.comparing(HeldLock::name))
        .distinct()
        .toList();
  }

  /**
   * Returns whether a suspended transaction of this thread has claimed the fence already. Its claim
   * keeps later holders out until it ends, which is after the transaction that begins now; claimed
   * again, the fence would be waited for until a timeout.
   */
  private boolean isClaimed(Hold hold) {
    IdentityHashMap<Object, List<Hold>> claims = HoldChain.claims();
    claims
        .keySet()
        .removeIf(each -> each instanceof Claimer claimer && claimer.transaction().isCompleted());
    return claims.entrySet().stream()
        .anyMatch(
            each ->
                each.getKey() instanceof Claimer claimer
                    && claimer.manager() == manager
                    && each.getValue().contains(hold));
  }

  private record Claimer(TransactionManager manager, TransactionExecution transaction) {}

  private boolean isMine(HeldLock held) {
    String wanted = held.fencedBy();
    if (wanted == null) {
      return false;
    }
    return wanted.isEmpty() ? isDefault() : wanted.equals(name);
  }

  private boolean isDefault() {
    ObjectProvider<TransactionManager> managers = beans.getBeanProvider(TransactionManager.class);
    return managers.getIfUnique() == manager;
  }

  /**
   * Rolls a transaction back that has begun, before its begin is reported as failed: nobody else
   * would, and its connection would stay bound to the thread. What it had suspended is left out,
   * because the manager resumes that itself when a begin fails.
   */
  private void rollBack(TransactionExecution transaction, Throwable failure) {
    if (!(manager instanceof AbstractPlatformTransactionManager platform)
        || !(transaction instanceof DefaultTransactionStatus status)) {
      failure.addSuppressed(
          new IllegalStateException("the transaction manager " + name + " cannot roll back here"));
      return;
    }
    try {
      platform.rollback(
          new DefaultTransactionStatus(
              status.getTransactionName(),
              status.getTransaction(),
              true,
              status.isNewSynchronization(),
              status.isNested(),
              status.isReadOnly(),
              status.isDebug(),
              null));
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }
}
