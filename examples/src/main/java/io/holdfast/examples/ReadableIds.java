package io.holdfast.examples;

import io.holdfast.ids.IdFacts;
import io.holdfast.ids.IdForm;
import io.holdfast.ids.IdLayout;
import io.holdfast.ids.Permutation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Ids as people and browsers see them. */
public final class ReadableIds {

  private ReadableIds() {}

  /** Writes one id in every form and reads it again. */
  public static void main(String[] args) {
    long id = IdLayout.STANDARD.id(Instant.parse("2026-11-15T12:34:56.789Z"), 42, 7);
    byte[] key = "sixteen secrets!".getBytes(StandardCharsets.US_ASCII);
    // region docs
    IdForm dated = IdForm.dated(IdLayout.STANDARD); // the day at a glance
    System.out.println(dated.write(id));
    System.out.println(IdForm.crockford().write(id)); // to read out on the telephone
    System.out.println(IdForm.base62().write(id)); // short, for addresses
    System.out.println(IdForm.decimal().write(id)); // for JSON, always as a string

    IdFacts facts = IdLayout.STANDARD.describe(dated.read(dated.write(id)));
    System.out.println(facts.time().orElseThrow() + " by worker " + facts.worker().orElseThrow());

    // For strangers, who must not see how many orders there are.
    IdForm hidden = IdForm.crockford().hiding(Permutation.of(key, 63));
    System.out.println(hidden.read(hidden.write(id)) == id);
    // endregion
  }
}
