package io.holdfast.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.Crew;
import io.holdfast.jdbc.Db;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** Product 7 is sold by many at once, until there is none. */
final class Sale {

  private final DataSource source;
  private final Versioned products;
  private final boolean counted;

  /** Of products with a version. */
  Sale(DataSource source) {
    this(source, Versioned.table("product", "id", "version").columns("stock"), true);
  }

  /** Of products that are compared by value. */
  static Sale byValue(DataSource source) {
    return new Sale(source, Versioned.byValue("product", "id").columns("stock"), false);
  }

  private Sale(DataSource source, Versioned products, boolean counted) {
    this.source = source;
    this.products = products.attempts(2_000).pauses(Duration.ofMillis(1), Duration.ofMillis(20));
    this.counted = counted;
  }

  static void createTable(DataSource source, int stock) throws SQLException {
    Db.run(
        source,
        "DROP TABLE IF EXISTS product",
        "CREATE TABLE product"
            + " (id INT PRIMARY KEY, stock INT NOT NULL, name VARCHAR(20), version BIGINT NOT NULL)",
        "INSERT INTO product (id, stock, version) VALUES (7, " + stock + ", 0)");
  }

  void byEightThreads(int stock, String where) throws Exception {
    long began = System.nanoTime();
    try (Crew crew = new Crew()) {
      List<Integer> sold = crew.all(8, i -> sellAll());
      assertThat(sold.stream().mapToInt(Integer::intValue).sum()).isEqualTo(stock);
    }
    long millis = (System.nanoTime() - began) / 1_000_000;
    System.out.println(
        "figure: " + where + " sold " + stock + " by 8 threads in " + millis + " ms");
    assertThat(Db.number(source, "SELECT stock FROM product WHERE id = 7")).isZero();
    assertThat(Db.number(source, "SELECT version FROM product WHERE id = 7"))
        .isEqualTo(counted ? stock : 0);
  }

  /** Answers how many it sold until there were none. */
  private int sellAll() throws SQLException {
    for (int sold = 0; ; sold++) {
      boolean[] taken = {false};
      VersionedRow after =
          products.update(
              source,
              7,
              row -> {
                long stock = row.getLong("stock");
                taken[0] = stock > 0;
                return taken[0] ? row.with("stock", stock - 1) : row;
              });
      assertThat(after.getLong("stock")).isNotNegative();
      if (!taken[0]) {
        return sold;
      }
    }
  }
}
