package io.holdfast.ids.internal;

import io.holdfast.ids.Supply;
import java.util.List;
import java.util.Optional;

/** The states that several generators report. */
final class SupplyStates {

  private SupplyStates() {}

  static Supply up(String detail) {
    return new Supply(Supply.Status.UP, detail, Optional.empty(), List.of());
  }

  static Supply closed(String what) {
    return new Supply(Supply.Status.CLOSED, what + " is closed", Optional.empty(), List.of());
  }
}
