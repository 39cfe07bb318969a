package io.holdfast.examples.orders;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** An order of more than is left. */
@ResponseStatus(HttpStatus.CONFLICT)
public class OutOfStockException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  OutOfStockException(String sku, int quantity, int stock) {
    super(sku + ": " + quantity + " ordered, " + stock + " left");
  }
}
