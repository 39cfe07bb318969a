package io.holdfast.examples.orders;

import io.holdfast.spring.Locked;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Sells items. Each call acquires the lock of its item, begins a transaction that claims the fence,
 * runs, commits and releases, in this order. So it reads what the holder before has committed, and
 * the database refuses a holder that was overtaken while it was paused.
 */
@Service
public class Shop {

  private final Items items;
  private final PlacedOrders orders;

  Shop(Items items, PlacedOrders orders) {
    this.items = items;
    this.orders = orders;
  }

  /** Sets how many are there. */
  @Locked(name = "stock/{#sku}", fence = true)
  @Transactional
  public Item restock(String sku, int quantity) {
    Item item = items.findById(sku).orElseGet(() -> new Item(sku, quantity));
    item.restock(quantity);
    return items.save(item);
  }

  /** Sells some. */
  @Locked(name = "stock/{#sku}", waitFor = "20s", fence = true)
  @Transactional
  public PlacedOrder order(String sku, int quantity) {
    item(sku).take(quantity);
    return orders.save(new PlacedOrder(sku, quantity));
  }

  /** Reads without a lock: a look at the stock promises nothing. */
  @Transactional(readOnly = true)
  public Item item(String sku) {
    return items.findById(sku).orElseThrow(() -> new UnknownItemException(sku));
  }
}
