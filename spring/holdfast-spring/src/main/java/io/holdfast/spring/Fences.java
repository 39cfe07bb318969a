package io.holdfast.spring;

import java.util.Arrays;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionManager;

/** Checks which transactions claim a fence. Loaded only where Spring's transactions are there. */
final class Fences {

  private Fences() {}

  /**
   * Fails unless the manager is there and reports its transactions.
   *
   * @param name its bean name; empty for the default one
   */
  static void requireManager(ConfigurableListableBeanFactory beans, String name, String where) {
    String[] all =
        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
            beans, TransactionManager.class, true, false);
    Object manager;
    if (name.isEmpty()) {
      manager = beans.getBeanProvider(TransactionManager.class).getIfUnique();
      if (manager == null) {
        throw new IllegalStateException(
            where
                + ": fence = true needs one transaction manager; there are "
                + Arrays.toString(all)
                + "; name one in transactionManager");
      }
    } else if (Arrays.asList(all).contains(name)) {
      manager = beans.getBean(name);
    } else {
      throw new IllegalStateException(
          where
              + ": there is no transaction manager \""
              + name
              + "\"; there are "
              + Arrays.toString(all));
    }
    if (!(manager instanceof ConfigurableTransactionManager reporting)) {
      throw new IllegalStateException(
          where + ": fence = true needs a transaction manager that reports its transactions");
    }
    if (reporting.getTransactionExecutionListeners().stream()
        .noneMatch(HoldTransactionListener.class::isInstance)) {
      throw new IllegalStateException(
          where
              + ": no fence would be claimed: the transaction manager, of "
              + Arrays.toString(all)
              + ", is of a parent context without @EnableHoldfast, or was created before the"
              + " proxies were ready (by a BeanPostProcessor that needs it)");
    }
  }
}
