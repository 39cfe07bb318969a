package io.holdfast.jdbc.dialect;

import java.util.List;

/** The definitions of the tables, with the types of a database. */
final class TableDefinitions {

  private TableDefinitions() {}

  /**
   * Returns the statements that create them.
   *
   * @param namespace the type of namespaces, compared byte by byte
   * @param name the type of names, compared byte by byte
   * @param word the type of ticket ids, compared byte by byte
   * @param text the type of texts for people
   * @param lockSuffix what follows the table of locks
   * @param suffix what follows the other tables
   */
  static List<String> create(
      String prefix,
      String namespace,
      String name,
      String word,
      String text,
      String lockSuffix,
      String suffix) {
    String key = "ns " + namespace + " not null, name " + name + " not null";
    return List.of(
        "create table if not exists " + prefix + "lock (" + key + lock(word, text) + lockSuffix,
        "create table if not exists " + prefix + "ticket (" + key + ticket(word, text) + suffix,
        "create table if not exists "
            + prefix
            + "meta (ns "
            + namespace
            + " not null primary key, generation integer not null, layout integer not null)"
            + suffix);
  }

  /** Returns the statement that creates the table of counters. */
  static String counter(String prefix, String namespace, String name, String suffix) {
    return "create table if not exists "
        + prefix
        + "counter (ns "
        + namespace
        + " not null, name "
        + name
        + " not null, next_number bigint not null, primary key (ns, name))"
        + suffix;
  }

  private static String lock(String word, String text) {
    return ", kind varchar(1) not null, capacity integer not null, ticket "
        + word
        + ", generation integer not null, counter bigint not null, lease_us bigint not null,"
        + " expires_us bigint not null, joined_us bigint not null, owner "
        + text
        + ", wanted_us bigint not null, wanted "
        + word
        + ", revoked "
        + text
        + ", gone "
        + text
        + ", next_place bigint not null, touched_us bigint not null, primary key (ns, name))";
  }

  private static String ticket(String word, String text) {
    return ", place bigint not null, ticket "
        + word
        + " not null, weight integer not null, token bigint not null, lease_us bigint not null,"
        + " expires_us bigint not null, joined_us bigint not null, owner "
        + text
        + ", revoked "
        + text
        + ", primary key (ns, name, place))";
  }
}
