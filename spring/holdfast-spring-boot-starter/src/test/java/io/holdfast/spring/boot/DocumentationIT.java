package io.holdfast.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spring.boot.documentation.OrdersApplication;
import io.holdfast.spring.boot.documentation.Stock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;

/** Runs what docs/spring.md shows. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class DocumentationIT {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @EnableScheduling
  @Import(Stock.class)
  static class App {}

  @Test
  void theProgram(CapturedOutput output) {
    OrdersApplication.main(
        new String[] {
          "--holdfast.url=memory:",
          "--spring.main.web-application-type=none",
          "--spring.datasource.url=jdbc:h2:mem:documentation"
        });
    assertThat(output).contains("paid: 1");
  }

  @Test
  void theService() throws Exception {
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(App.class)
            .run(
                "--holdfast.url=memory:",
                "--holdfast.fence.create=true",
                "--spring.main.web-application-type=none",
                "--spring.datasource.url=jdbc:h2:mem:documentation2")) {
      JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
      jdbc.execute("create table stock (id bigint primary key, qty int)");
      jdbc.update("insert into stock values (1, 5)");
      Stock stock = context.getBean(Stock.class);
      stock.take(1);
      assertThat(jdbc.queryForObject("select qty from stock", Integer.class)).isEqualTo(4);
      assertThat(jdbc.queryForObject("select resource from holdfast_fence", String.class))
          .isEqualTo("default:stock/1");
      assertThat(stock.reserve(List.of("b", "a", "b"), Map.of())).contains(2);
      assertThat(stock.report().get(10, TimeUnit.SECONDS)).isEqualTo("done");
    }
  }
}
