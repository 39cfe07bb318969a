package io.holdfast.examples.orders;

import io.holdfast.HoldfastException;
import io.holdfast.LockTimeoutException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The shop over HTTP. */
@RestController
@RequestMapping("/items/{sku}")
public class ShopController {

  private final Shop shop;

  ShopController(Shop shop) {
    this.shop = shop;
  }

  @GetMapping
  Item look(@PathVariable String sku) {
    return shop.item(sku);
  }

  @PutMapping
  Item restock(@PathVariable String sku, @RequestParam int stock) {
    return shop.restock(sku, stock);
  }

  @PostMapping("/orders")
  @ResponseStatus(HttpStatus.CREATED)
  PlacedOrder order(@PathVariable String sku, @RequestParam(defaultValue = "1") int quantity) {
    return shop.order(sku, quantity);
  }

  /** Others were faster for too long. Nothing was done, so it may be sent again. */
  @ExceptionHandler
  ProblemDetail busy(LockTimeoutException e) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.TOO_MANY_REQUESTS, "busy, try again");
  }

  /** The store does not reply, or the lock was lost: whoever sends it again looks first. */
  @ExceptionHandler
  ProblemDetail unavailable(HoldfastException e) {
    return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, "no lock");
  }
}
