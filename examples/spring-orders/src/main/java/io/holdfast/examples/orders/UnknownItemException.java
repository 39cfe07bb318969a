package io.holdfast.examples.orders;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** An order of something that is not for sale. */
@ResponseStatus(HttpStatus.NOT_FOUND)
public class UnknownItemException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  UnknownItemException(String sku) {
    super("no item " + sku);
  }
}
