package io.holdfast.examples.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;

/** One instance. Start as many as you like, on one database. */
@SpringBootApplication
@EnableScheduling
public class OrdersApplication {

  /** Starts it; {@code --server.port=8081} for another one on the same machine. */
  public static void main(String[] arguments) {
    SpringApplication.run(OrdersApplication.class, arguments);
  }
}
