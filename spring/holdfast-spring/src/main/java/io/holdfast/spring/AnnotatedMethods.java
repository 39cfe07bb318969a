package io.holdfast.spring;

import io.holdfast.Holdfast;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.StringUtils;

/**
 * Finds the annotated methods of all beans when they have been created: fails the start when one of
 * them is not guarded, and enters the elections.
 */
final class AnnotatedMethods implements SmartInitializingSingleton {

  private static final List<Class<? extends Annotation>> ANNOTATIONS =
      List.of(Locked.class, RunOnce.class, LeaderOnly.class);

  private final HoldfastClients clients;
  private final LockedSettings settings;
  private final LockedInterceptor locked;
  private final RunOnceInterceptor runOnce;
  private final LeaderOnlyInterceptor leaderOnly;
  private final Leaders leaders;

  AnnotatedMethods(
      HoldfastClients clients,
      LockedSettings settings,
      LockedInterceptor locked,
      RunOnceInterceptor runOnce,
      LeaderOnlyInterceptor leaderOnly,
      Leaders leaders) {
    this.clients = clients;
    this.settings = settings;
    this.locked = locked;
    this.runOnce = runOnce;
    this.leaderOnly = leaderOnly;
    this.leaders = leaders;
  }

  @Override
  public void afterSingletonsInstantiated() {
    List<String> problems = new ArrayList<>();
    ConfigurableListableBeanFactory beans = clients.beans();
    Set<String> names = new LinkedHashSet<>(Arrays.asList(beans.getBeanDefinitionNames()));
    names.addAll(Arrays.asList(beans.getSingletonNames()));
    for (String name : names) {
      Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
      Class<?> type =
          bean == null ? AutoProxyUtils.determineTargetClass(beans, name) : target(bean);
      if (type != null && !type.getName().startsWith("org.springframework.")) {
        look(name, bean, type, problems);
      }
    }
    if (settings.check() && !problems.isEmpty()) {
      throw new UnguardedMethodsException(problems);
    }
  }

  private static Class<?> target(Object bean) {
    return AopUtils.getTargetClass(bean);
  }

  private void look(String name, @Nullable Object bean, Class<?> type, List<String> problems) {
    for (Class<? extends Annotation> annotation : ANNOTATIONS) {
      if (!AnnotationUtils.isCandidateClass(type, annotation)) {
        continue;
      }
      MethodIntrospector.MetadataLookup<Boolean> annotated =
          method -> AnnotatedElementUtils.hasAnnotation(method, annotation) ? true : null;
      for (Method method : MethodIntrospector.selectMethods(type, annotated).keySet()) {
        try {
          check(annotation, method, type);
          if (bean != null) {
            requireAdvice(annotation, method, name, bean);
          }
        } catch (IllegalStateException e) {
          problems.add(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException | DateTimeException e) {
          // Such as a cron expression that Spring does not understand.
          problems.add(MethodNames.where(annotation, method) + ": " + e.getMessage());
        }
      }
    }
  }

  private void check(Class<? extends Annotation> annotation, Method method, Class<?> type) {
    String where = MethodNames.where(annotation, method);
    if (annotation == Locked.class) {
      LockedOperation operation = locked.operation(method, type);
      requireClient(operation.client(), where);
      if (operation.fencedBy() != null) {
        requireFence(operation.fencedBy(), where);
      }
    } else if (annotation == RunOnce.class) {
      requireClient(runOnce.operation(method, type).client(), where);
    } else {
      LeaderOnlyOperation operation = leaderOnly.operation(method, type);
      requireClient(operation.client(), where);
      leaders.add(operation);
    }
  }

  private void requireClient(String client, String where) {
    ConfigurableListableBeanFactory beans = clients.beans();
    String[] all =
        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, Holdfast.class, true, false);
    if (!StringUtils.hasText(client)) {
      requireDefaultClient(all, where);
      return;
    }
    if (Arrays.stream(all)
        .noneMatch(
            bean -> BeanFactoryAnnotationUtils.isQualifierMatch(client::equals, bean, beans))) {
      throw new IllegalStateException(
          where + ": there is no client \"" + client + "\"; there are " + Arrays.toString(all));
    }
  }

  /** A method that does not name its client uses the only or primary one. */
  private void requireDefaultClient(String[] all, String where) {
    if (all.length == 0) {
      throw new IllegalStateException(
          where + " has no client: a bean of type " + Holdfast.class.getName() + " is missing");
    }
    try {
      clients.client("");
    } catch (NoUniqueBeanDefinitionException e) {
      throw new IllegalStateException(
          where + " does not name its client, and none of " + Arrays.toString(all) + " is primary",
          e);
    }
  }

  private void requireFence(String manager, String where) {
    ConfigurableListableBeanFactory beans = clients.beans();
    String[] fences =
        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
            beans, TransactionFence.class, true, false);
    if (fences.length == 0) {
      throw new IllegalStateException(
          where
              + ": fence = true needs a bean of type TransactionFence; SqlTransactionFence needs"
              + " holdfast-jdbc and spring-jdbc");
    }
    Fences.requireManager(beans, manager, where);
  }

  private static void requireAdvice(
      Class<? extends Annotation> annotation, Method method, String name, Object bean) {
    String where = MethodNames.where(annotation, method);
    if (!(bean instanceof Advised advised) || !hasAdvice(advised, annotation)) {
      throw new IllegalStateException(
          where
              + " has no effect: the bean "
              + name
              + " has no proxy, or was created before the proxies were ready (by a"
              + " BeanPostProcessor that needs it)");
    }
    // A JDK proxy has the methods of interfaces only.
    AopUtils.selectInvocableMethod(method, bean.getClass());
  }

  private static boolean hasAdvice(Advised advised, Class<? extends Annotation> annotation) {
    for (Advisor advisor : advised.getAdvisors()) {
      if (advisor instanceof HoldfastAdvisor ours && ours.annotation() == annotation) {
        return true;
      }
    }
    return false;
  }
}
