package io.holdfast.examples.orders;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/**
 * What is for sale. It has no version column: the lock is what keeps two instances from writing the
 * same stock.
 */
@Entity
public class Item {

  @Id private String sku = "";
  private int stock;

  /** For JPA. */
  protected Item() {}

  Item(String sku, int stock) {
    this.sku = sku;
    this.stock = stock;
  }

  /** Returns its name. */
  public String getSku() {
    return sku;
  }

  /** Returns how many are left. */
  public int getStock() {
    return stock;
  }

  void restock(int quantity) {
    stock = quantity;
  }

  void take(int quantity) {
    if (quantity > stock) {
      throw new OutOfStockException(sku, quantity, stock);
    }
    stock -= quantity;
  }
}
