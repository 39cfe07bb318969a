package io.holdfast.spring.boot.documentation;

import io.holdfast.spring.Locked;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.stereotype.Service;

@SpringBootApplication
public class OrdersApplication {

  @Service
  public static class Orders {
    private int paid;

    @Locked(name = "orders/{#id}", waitFor = "5s")
    public int pay(long id) {
      return ++paid;
    }
  }

  public static void main(String[] arguments) {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(OrdersApplication.class, arguments)) {
      System.out.println("paid: " + context.getBean(Orders.class).pay(42));
    }
  }
}
