package io.holdfast.examples.orders;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

/** An order of one item, which is forwarded to the warehouse later. */
@Entity
public class PlacedOrder {

  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private @Nullable Long id;

  private String sku = "";
  private int quantity;
  private @Nullable String forwardedBy;

  /** For JPA. */
  protected PlacedOrder() {}

  PlacedOrder(String sku, int quantity) {
    this.sku = sku;
    this.quantity = quantity;
  }

  /** Returns its number. */
  public @Nullable Long getId() {
    return id;
  }

  /** Returns what was ordered. */
  public String getSku() {
    return sku;
  }

  /** Returns how many. */
  public int getQuantity() {
    return quantity;
  }

  /** Returns which instance has forwarded it; null before. */
  public @Nullable String getForwardedBy() {
    return forwardedBy;
  }
}
