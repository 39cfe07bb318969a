package io.holdfast.jdbc.table.layout;

import io.holdfast.jdbc.dialect.Dialect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/** The statements on the three tables of a prefix. */
public final class TableSql {

  /** The layout that this code reads and writes. */
  public static final int LAYOUT = 1;

  /** In bytes; what options take as names has one for each character. */
  private static final int LONGEST_CHANNEL = 63;

  /** The columns that {@link #heads} selects before the time. */
  private static final String HEAD =
      "l.name, l.kind, l.capacity, l.ticket, l.generation, l.counter, l.lease_us, l.expires_us,"
          + " l.joined_us, l.owner, l.wanted_us, l.wanted, l.revoked, l.gone, l.next_place";

  private final Dialect dialect;
  private final String prefix;

  public final String insertHead;
  final String updateHead;
  final String insertSeat;
  final String updateSeat;
  final String deleteSeat;
  final String insertMeta;
  final String raise;
  final String notify;
  final String notifyHolders;

  /** Creates the statements of a store. */
  public TableSql(Dialect dialect, String prefix) {
    this.dialect = dialect;
    this.prefix = prefix;
    insertHead =
        dialect.insertAbsent(
            lock(),
            "ns, name, kind, capacity, generation, counter, lease_us, expires_us, joined_us,"
                + " wanted_us, next_place, touched_us",
            "?, ?, '-', 1, 0, 0, 0, 0, 0, 0, 0, " + dialect.nowMicros());
    updateHead =
        "update "
            + lock()
            + " set kind = ?, capacity = ?, ticket = ?, generation = ?, counter = ?, lease_us = ?,"
            + " expires_us = ?, joined_us = ?, owner = ?, wanted_us = ?, wanted = ?, revoked = ?,"
            + " gone = ?, next_place = ?, touched_us = ? where ns = ? and name = ?";
    insertSeat =
        "insert into "
            + ticket()
            + " (weight, token, lease_us, expires_us, revoked, ticket, joined_us, owner, ns, name,"
            + " place) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    updateSeat =
        "update "
            + ticket()
            + " set weight = ?, token = ?, lease_us = ?, expires_us = ?, revoked = ?, ticket = ?"
            + " where ns = ? and name = ? and place = ?";
    deleteSeat = "delete from " + ticket() + " where ns = ? and name = ? and place = ?";
    insertMeta = dialect.insertAbsent(meta(), "ns, generation, layout", "?, 0, " + LAYOUT);
    raise = "update " + meta() + " set generation = ? where ns = ? and generation < ?";
    notify = "select pg_notify('" + channel() + "', ?)";
    notifyHolders = "select pg_notify('" + heldChannel() + "', ?)";
  }

  public String lock() {
    return prefix + "lock";
  }

  public String ticket() {
    return prefix + "ticket";
  }

  String meta() {
    return prefix + "meta";
  }

  /**
   * Returns the channel that notifies waiters. In lower case, like the table names in the database:
   * clients that write them differently use the same tables. Names that are too long for a channel
   * are hashed; foreign messages on a shared channel do no harm.
   */
  public String channel() {
    return channel("wake");
  }

  /** Returns the channel that notifies holders of changes to their rows. */
  public String heldChannel() {
    return channel("held");
  }

  private String channel(String end) {
    String name = (prefix.replace('.', '_') + end).toLowerCase(Locale.ROOT);
    return name.length() <= LONGEST_CHANNEL ? name : "holdfast_" + hash(name);
  }

  private static String hash(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(bytes).toString().replace('-', '_');
  }

  /**
   * Returns the query for the layout versions: the newest that any client wrote, and that of the
   * tables.
   */
  public String probe() {
    return "select (select max(layout) from "
        + meta()
        + "), (select layout from "
        + meta()
        + " where ns = ''), (select count(*) from "
        + lock()
        + " where ns = ''), (select count(*) from "
        + ticket()
        + " where ns = '')";
  }

  /** Returns the statements that create the tables, without the version. */
  public List<String> tables() {
    return dialect.tables(prefix);
  }

  /** Returns the statements that create the tables, to be run by hand. */
  public List<String> allTables() {
    List<String> all = new ArrayList<>(tables());
    all.add(insertVersion());
    return all;
  }

  /** Writes the version where there is none. */
  String insertVersion() {
    return dialect.insertAbsent(meta(), "ns, generation, layout", "'', 0, " + LAYOUT);
  }

  /** Writes the version over an older one. */
  String raiseVersion() {
    return "update " + meta() + " set layout = " + LAYOUT + " where ns = '' and layout < " + LAYOUT;
  }

  /** Reads this many rows of a namespace by their names, in order. */
  String heads(int names, RowLocking locking) {
    return "select "
        + HEAD
        + ", "
        + dialect.nowMicros()
        + ", (select m.generation from "
        + prefix
        + "meta m where m.ns = l.ns) from "
        + lock()
        + " l where l.ns = ? and l.name in ("
        + marks(names)
        + ") order by l.name"
        + words(locking);
  }

  private String words(RowLocking locking) {
    return switch (locking) {
      case NONE -> "";
      case WAIT -> dialect.forUpdate();
      case SKIP -> dialect.skipLocked();
    };
  }

  /** Reads the tickets of this many resources of a namespace, in the order of their places. */
  String ticketRows(int names) {
    return "select name, place, ticket, weight, token, lease_us, expires_us, joined_us, owner,"
        + " revoked from "
        + ticket()
        + " where ns = ? and name in ("
        + marks(names)
        + ") order by name, place";
  }

  /** How many rows are looked at by one statement that lists names. */
  static final int WINDOW = 10_000;

  /**
   * Returns whether names are listed window by window: where the key has the order of their bytes.
   */
  public boolean hasWindows() {
    return dialect.inBytes("l.name").equals("l.name");
  }

  /**
   * Returns the last name of a window: namespace, from, after, and the name that ends it if there
   * is one. Empty if there are fewer rows.
   */
  public String windowEnd(boolean bounded) {
    return "select l.name from "
        + lock()
        + " l where l.ns = ? and l.name >= ? and l.name > ?"
        + (bounded ? " and l.name < ?" : "")
        + " order by "
        + dialect.orderInNamespace()
        + " limit 1 offset "
        + (WINDOW - 1);
  }

  /**
   * Returns a query for the used names of a namespace, from one name on and after another, in the
   * order of their bytes: namespace, from, after, the end if there is one, limit.
   *
   * @param end how the names are compared with the end; empty if there is none
   */
  public String names(String end) {
    String name = dialect.inBytes("l.name");
    String other = dialect.inBytes("?");
    return "select l.name from "
        + lock()
        + " l where l.ns = ? and "
        + name
        + " >= "
        + other
        + " and "
        + name
        + " > "
        + other
        + (end.isEmpty() ? "" : " and " + name + " " + end + " " + other)
        + " and (l.expires_us > "
        + dialect.nowMicros()
        + " or exists (select 1 from "
        + ticket()
        + " t where t.ns = l.ns and t.name = l.name)) order by "
        + (hasWindows() ? dialect.orderInNamespace() : name)
        + " limit ?";
  }

  /** Returns a statement with the names of the tables and the database's time filled in. */
  public String fill(String text) {
    return text.replace("{lock}", lock())
        .replace("{ticket}", ticket())
        .replace("{meta}", meta())
        .replace("{channel}", channel())
        .replace("{held}", heldChannel())
        .replace("{tell}", prefix + "tell")
        .replace("{now}", dialect.nowMicros());
  }

  /** Returns how many names one statement may have. */
  public int namesAtOnce() {
    return dialect.namesAtOnce();
  }

  /** Returns a list of question marks. */
  public static String marks(int count) {
    return "?" + ", ?".repeat(count - 1);
  }
}
