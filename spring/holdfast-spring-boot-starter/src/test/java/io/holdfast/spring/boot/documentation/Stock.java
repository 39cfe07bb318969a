package io.holdfast.spring.boot.documentation;

import io.holdfast.spring.LeaderOnly;
import io.holdfast.spring.Locked;
import io.holdfast.spring.OnBusy;
import io.holdfast.spring.RunOnce;
import io.holdfast.spring.Token;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
public class Stock {

  private final JdbcTemplate jdbc;

  public Stock(JdbcTemplate jdbc) {
    this.jdbc = jdbc;
  }

  @Locked(name = "stock/{#id}", fence = true)
  @Transactional
  public void take(long id) { // acquire, begin, claim the fence, run, check, commit, release
    jdbc.update("update stock set qty = qty - 1 where id = ?", id);
  }

  @Locked(name = "stock/{#skus}", onBusy = OnBusy.SKIP) // all of them, or none
  public Optional<Integer> reserve(List<String> skus, @Token Map<String, Long> tokens) {
    return Optional.of(tokens.size());
  }

  @Locked("report") // held until the stage completes
  public CompletableFuture<String> report() {
    return CompletableFuture.supplyAsync(() -> "done");
  }

  @Scheduled(cron = "0 0 * * * *")
  @RunOnce(name = "hourly-report") // on one machine in each hour
  public void send() {}

  @Scheduled(fixedDelay = 1000)
  @LeaderOnly("outbox") // on the machine that leads
  public void forward() {}
}
