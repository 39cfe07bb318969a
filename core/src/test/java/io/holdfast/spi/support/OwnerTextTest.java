package io.holdfast.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.Owner;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OwnerTextTest {

  @Test
  void an_owner_comes_back_as_it_was() {
    for (Owner owner :
        new Owner[] {
          new Owner("shop", "host-1", 4711, "main", "nightly run"),
          new Owner("", "", 0, "", ""),
          new Owner("ü", "\ud83d\udd12", Long.MAX_VALUE, "pool-1 thread-2", "a  b"),
          new Owner("a", "b", Long.MIN_VALUE, "c", "d")
        }) {
      assertThat(OwnerText.read(OwnerText.write(owner))).isEqualTo(owner);
    }
  }

  @Test
  void the_parts_are_readable_with_tabs_between() {
    assertThat(OwnerText.write(new Owner("shop", "h", 7, "main", "text")))
        .isEqualTo("shop\th\t7\tmain\ttext");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\tb", "a\nb", "a\rb", "a\0b", "a\u001fb", "a\u007fb", "a\u0085b"})
  void a_control_character_becomes_a_space_in_every_part(String part) {
    assertThat(OwnerText.read(OwnerText.write(new Owner(part, part, 1, part, part))))
        .isEqualTo(new Owner("a b", "a b", 1, "a b", "a b"));
  }

  @ParameterizedTest
  @CsvSource({"a\ud83d, a?", "\udd12a, ?a", "\udd12\ud83d, ??"})
  void an_unpaired_surrogate_becomes_a_question_mark(String part, String shown) {
    assertThat(OwnerText.read(OwnerText.write(new Owner(part, "h", 1, "t", part))))
        .isEqualTo(new Owner(shown, "h", 1, "t", shown));
  }

  @Test
  void what_is_too_long_is_cut_and_all_five_parts_stay() {
    String endless = "x".repeat(10_000);
    String written = OwnerText.write(new Owner(endless, endless, Long.MIN_VALUE, endless, endless));
    assertThat(written.length()).isBetween(3000, OwnerText.MAX_LENGTH);
    Owner read = OwnerText.read(written);
    assertThat(read.pid()).isEqualTo(Long.MIN_VALUE);
    assertThat(read.text()).hasSize(2400).matches("x+");
  }

  @Test
  void a_cut_never_splits_a_character() {
    String locks = "x" + "\ud83d\udd12".repeat(5000);
    String written = OwnerText.write(new Owner(locks, locks, 1, locks, locks));
    assertThat(new String(written.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .isEqualTo(written)
        .doesNotContain("?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "by hand", "a\tb", "a\tb\tnumber\tc\td", "a\tb\t\tc\td"})
  void a_text_of_another_form_is_shown_as_it_is(String foreign) {
    assertThat(OwnerText.parse(foreign)).isEmpty();
    assertThat(OwnerText.read(foreign)).isEqualTo(new Owner("", "", 0, "", foreign));
  }
}
