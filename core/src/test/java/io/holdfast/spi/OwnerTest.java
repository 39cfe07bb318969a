package io.holdfast.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The line that says who holds a lock, for terminals and for formats with quotes of their own. */
class OwnerTest {

  @Test
  void theLineIsQuotedOnlyWhereItIsPrinted() {
    Owner owner = new Owner("shop", "db \"1\"", 47, "main", "nightly");
    assertThat(owner.unquoted()).isEqualTo("shop pid 47 on db \"1\", thread main (nightly)");
    assertThat(owner).hasToString("\"shop pid 47 on db \\\"1\\\", thread main (nightly)\"");
    assertThat(new Owner("", "h", 1, "t", "").unquoted()).isEqualTo("pid 1 on h, thread t");
  }
}
