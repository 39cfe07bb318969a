package io.holdfast.jdbc.table;

import java.util.List;

/**
 * What makes tables of an older layout those of today. Each part only adds, with values that suit
 * clients of the older version, which go on beside those of this one; and each does no harm where
 * it is done already, so any number of clients may run them at once, and one that died on the way
 * is gone on from.
 *
 * <p>Layout 0 is that of tables from before there was a version in them; the newest column may be
 * missing. What was held in them stays held.
 */
public final class Migration {

  /**
   * A part.
   *
   * @param probe a query that fails while it is not done; empty if it is to be done in any case
   * @param changes statements that do it
   */
  public record Part(String probe, List<String> changes) {}

  private Migration() {}

  /** What is to be done to tables of that layout, in this order. */
  public static List<Part> from(int layout, Sql sql) {
    if (layout >= Sql.LAYOUT) {
      return List.of();
    }
    return List.of(
        new Part(
            "select touched_us from " + sql.lock() + " where ns = ''",
            List.of(
                "alter table " + sql.lock() + " add column touched_us bigint default 0 not null")),
        // As if all had been used just now: who left in doubt is to be remembered for as long.
        new Part(
            "", List.of(sql.fill("update {lock} set touched_us = {now} where touched_us = 0"))),
        // The last: whoever reads it finds all the others done.
        new Part("", List.of(sql.insertVersion(), sql.raiseVersion())));
  }
}
