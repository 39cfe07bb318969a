package io.holdfast.tck.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("names")
interface NamesChapter {

  /** Names that a store might fold, trim, cut, split or read as a pattern. */
  List<String> ODD =
      List.of(
          "plain",
          "Plain",
          "PLAIN",
          "plain ",
          " plain",
          "plain\t",
          "plain\n",
          "plain\r\n",
          "pla\u0001in",
          "\u007f",
          "plain%",
          "plain_",
          "a/b",
          "a//b",
          "/a/b",
          "a/b/",
          "/",
          "//",
          ".",
          "..",
          "../a",
          "a:b",
          "a::b",
          "{a}",
          "{}",
          "a{b}c",
          "*",
          "?",
          "[a]",
          "[a-z]*",
          "a\\b",
          "a'b",
          "a\"b",
          "a;b--",
          "'; drop table locks; --",
          "a b",
          "a\u00a0b",
          "stra\u00dfe",
          "strasse",
          "STRASSE",
          "\u00e9",
          "e\u0301",
          "\u0130",
          "i",
          "I",
          "\u0131",
          "\u212b",
          "\u00c5",
          "\ufb01",
          "fi",
          "\u043e",
          "o",
          "\ud83d\udd12",
          "\ud83d\udd12\ud83d\udd12",
          "\u202eabc",
          "\ufeffplain",
          "\uffff",
          "\ue000",
          "0",
          "00",
          "-1",
          "null",
          "\u4e2d\u6587");

  @Test
  @Requires(Capability.ANY)
  default void u50_every_name_is_used_verbatim_and_excludes_only_itself(KitFixture fixture)
      throws Exception {
    Holdfast mine = fixture.apiClient().holdfast();
    Holdfast theirs = fixture.apiClient().holdfast();
    List<String> names = new ArrayList<>(ODD);
    names.add("x".repeat(Resource.MAX_NAME_BYTES));
    names.add("x".repeat(Resource.MAX_NAME_BYTES - 1) + "y");
    names.add("\u4e2d".repeat(Resource.MAX_NAME_BYTES / 3));
    List<Hold> holds = new ArrayList<>();
    for (String name : names) {
      holds.add(mine.lock(name).tryAcquire().orElseThrow(() -> busy(name)));
    }
    for (int i = 0; i < names.size(); i++) {
      HoldAssertions.requireRefused(
          theirs.lock(names.get(i)).tryAcquire(),
          List.of(holds.get(i)),
          "a rival for \"" + names.get(i) + "\"");
    }
    for (Hold hold : holds) {
      hold.close();
    }
    for (String name : names) {
      theirs.lock(name).tryAcquire().orElseThrow(() -> busy(name)).close();
    }
  }

  private static AssertionError busy(String name) {
    return new AssertionError("another name excludes \"" + name + "\"");
  }

  @Test
  @Requires({Capability.ANY, Capability.INSPECTOR})
  default void u50_the_inspector_shows_names_verbatim(KitFixture fixture) throws Exception {
    Holdfast holdfast = fixture.apiClient().holdfast();
    // Kept reachable: an unreachable hold would be released.
    List<Hold> held = new ArrayList<>();
    for (String name : ODD) {
      held.add(holdfast.lock(name).tryAcquire().orElseThrow());
    }
    Set<String> shown = new HashSet<>();
    for (LineView line :
        fixture.inspector().orElseThrow().list(fixture.namespace(), "", "", ODD.size() + 10)) {
      shown.add(line.resource().name());
    }
    assertThat(shown).containsExactlyInAnyOrderElementsOf(ODD);
    held.forEach(hold -> HoldAssertions.requireHeld(hold, hold.name()));
  }

  @Test
  @Requires(Capability.ANY)
  default void the_same_name_in_two_namespaces_is_two_locks(KitFixture fixture) throws Exception {
    Holdfast mine = fixture.apiClient().holdfast();
    Holdfast theirs =
        fixture.apiClient(options -> options.withNamespace(fixture.namespace() + "2")).holdfast();
    try (Hold one = mine.lock("name").tryAcquire().orElseThrow();
        Hold two = theirs.lock("name").tryAcquire().orElseThrow()) {
      one.ensureHeld();
      two.ensureHeld();
    }
  }

  @Test
  default void empty_too_long_and_malformed_names_are_rejected(KitFixture fixture)
      throws Exception {
    Holdfast holdfast = fixture.apiClient().holdfast();
    List<String> bad =
        List.of(
            "",
            "x".repeat(Resource.MAX_NAME_BYTES + 1),
            "\u4e2d".repeat(Resource.MAX_NAME_BYTES / 3 + 1),
            "a\u0000b",
            "\ud83d",
            "a\udd12b");
    for (String name : bad) {
      assertThatThrownBy(() -> holdfast.lock(name)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> holdfast.semaphore(name, 1))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> holdfast.readWriteLock(name))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
