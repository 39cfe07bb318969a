package io.holdfast.examples.orders;

import io.holdfast.spring.LeaderOnly;
import io.holdfast.spring.RunOnce;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** What every instance is scheduled to do, and only one of them does. */
@Component
public class Jobs {

  private final JdbcClient database;
  private final String instance;

  Jobs(JdbcClient database, @Value("${orders.instance}") String instance) {
    this.database = database;
    this.instance = instance;
  }

  /** On one instance in each period, whichever comes first. */
  @Scheduled(cron = "${orders.report.cron}")
  @RunOnce(name = "sales-report")
  public void report() {
    database
        .sql(
            "insert into sales_report (made_at, made_by, orders)"
                + " select now(), ?, count(*) from placed_order")
        .param(instance)
        .update();
  }

  /** On the instance that leads, until it ends. */
  @Scheduled(fixedDelayString = "${orders.forward.delay}")
  @LeaderOnly("warehouse")
  public void forward() {
    database
        .sql("update placed_order set forwarded_by = ? where forwarded_by is null")
        .param(instance)
        .update();
  }
}
