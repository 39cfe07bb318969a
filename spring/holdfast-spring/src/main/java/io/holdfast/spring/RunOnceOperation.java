package io.holdfast.spring;

import java.lang.reflect.Method;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.Schedules;
import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.StringUtils;

/**
 * A method with {@link RunOnce}, parsed and checked.
 *
 * @param waitFor how long to wait for another run; null: not at all
 * @param atMost after which time a run loses its hold; null: never
 */
record RunOnceOperation(
    String where,
    NameTemplate name,
    Duration every,
    @Nullable Duration waitFor,
    @Nullable Duration atMost,
    String client,
    MethodShape shape) {

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Ticks to look at: a schedule may have gaps of several lengths. */
  private static final int TICKS = 100;

  /**
   * Parses the annotation of a method.
   *
   * @throws IllegalStateException when a value or the signature of the method does not fit
   */
  static RunOnceOperation of(Method called, Class<?> target, HoldfastClients clients) {
    Method method = MethodNames.declared(called, target);
    RunOnce once = AnnotatedElementUtils.findMergedAnnotation(method, RunOnce.class);
    String where = MethodNames.where(RunOnce.class, method);
    if (once == null) {
      throw new IllegalStateException(where + " is missing");
    }
    MethodShape shape = MethodShape.of(method, where);
    TokenParameter.requireNone(method, where);
    boolean future = shape.kind() == ReturnKind.FUTURE && !shape.optional();
    if (method.getReturnType() != void.class && !future) {
      throw new IllegalStateException(
          where
              + ": the method must return void or a CompletionStage, because it is skipped where"
              + " another machine runs; it returns "
              + method.getReturnType().getName());
    }
    Duration every = every(once, method, clients, where);
    if (every.compareTo(SHORTEST) < 0) {
      throw new IllegalStateException(
          where + ": the period must be at least 1 s; it is " + every.toMillis() + " ms");
    }
    return new RunOnceOperation(
        where,
        new NameTemplate(clients.resolve(once.name(), where + ", name"), method, where),
        every,
        optional(once.waitFor(), clients, where + ", waitFor"),
        optional(once.atMost(), clients, where + ", atMost"),
        once.client(),
        shape);
  }

  private static @Nullable Duration optional(String text, HoldfastClients clients, String where) {
    String resolved = clients.resolve(text, where);
    return StringUtils.hasText(resolved) ? Durations.parse(resolved, where) : null;
  }

  private static Duration every(
      RunOnce once, Method method, HoldfastClients clients, String where) {
    Duration declared = optional(once.every(), clients, where + ", every");
    if (declared != null) {
      return declared;
    }
    Optional<Duration> period =
        AnnotatedElementUtils.findMergedRepeatableAnnotations(
                method, Scheduled.class, Schedules.class)
            .stream()
            .flatMap(scheduled -> period(scheduled, clients, where))
            .min(Comparator.naturalOrder());
    return period.orElseThrow(
        () ->
            new IllegalStateException(
                where
                    + ": no period; set every, or put it next to @Scheduled with a cron expression"
                    + " or a fixed rate (a fixed delay is not a period)"));
  }

  private static Stream<Duration> period(
      Scheduled scheduled, HoldfastClients clients, String where) {
    String cron = clients.resolve(scheduled.cron(), where + ", cron");
    if (StringUtils.hasText(cron)) {
      return cron.equals(Scheduled.CRON_DISABLED)
          ? Stream.empty()
          : Stream.of(shortestGap(cron, clients.resolve(scheduled.zone(), where + ", zone")));
    }
    String rate = clients.resolve(scheduled.fixedRateString(), where + ", fixedRateString");
    if (StringUtils.hasText(rate)) {
      boolean bare = rate.chars().allMatch(Character::isDigit);
      return Stream.of(
          bare
              ? Duration.of(Long.parseLong(rate), scheduled.timeUnit().toChronoUnit())
              : Durations.parse(rate, where + ", fixedRateString"));
    }
    return scheduled.fixedRate() > 0
        ? Stream.of(Duration.of(scheduled.fixedRate(), scheduled.timeUnit().toChronoUnit()))
        : Stream.empty();
  }

  /**
   * Returns the shortest time between two of the next ticks. A longer period would swallow a tick;
   * a shorter one only has to outlast the clock differences of the machines.
   */
  private static Duration shortestGap(String cron, String zone) {
    CronExpression expression = CronExpression.parse(cron);
    ZoneId at = StringUtils.hasText(zone) ? ZoneId.of(zone) : ZoneId.systemDefault();
    ZonedDateTime tick = expression.next(ZonedDateTime.now(at));
    Duration shortest = null;
    for (int i = 0; i < TICKS && tick != null; i++) {
      ZonedDateTime next = expression.next(tick);
      if (next != null) {
        Duration gap = Duration.between(tick, next);
        shortest = shortest == null || gap.compareTo(shortest) < 0 ? gap : shortest;
      }
      tick = next;
    }
    return Objects.requireNonNullElse(shortest, Duration.ofDays(1));
  }
}
