package io.holdfast.redis.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script: one atomic step of a server. Immutable.
 *
 * <p>A script is put together from parts: resources that are named by their path without {@code
 * .lua}, such as {@code verbs/renew-any}. The last part names the script. Scripts are constants;
 * data goes into keys and arguments.
 */
public final class Script {

  /** The folder of all parts. */
  private static final String FOLDER = "/io/holdfast/redis/";

  private final String name;
  private final byte[] source;
  private final byte[] sha;
  private final boolean wantsRunId;
  private final boolean grants;

  Script(String name, String source, boolean wantsRunId, boolean grants) {
    this.name = name;
    this.source = source.getBytes(StandardCharsets.UTF_8);
    this.sha = sha(this.source);
    this.wantsRunId = wantsRunId;
    this.grants = grants;
  }

  /** Creates a script that grants or writes something new, so that the next master must know. */
  public static Script granting(String... parts) {
    return load("#!lua\n", true, parts);
  }

  /** Creates a script that ends or renews a claim; it runs even when the memory is full. */
  public static Script keeping(String... parts) {
    return load("#!lua flags=allow-oom\n", false, parts);
  }

  /** Creates a script that only reads. */
  public static Script reading(String... parts) {
    return load("#!lua flags=no-writes\n", false, parts);
  }

  private static Script load(String firstLine, boolean grants, String... parts) {
    StringBuilder source = new StringBuilder(firstLine);
    for (String part : parts) {
      source.append(read(FOLDER + part + ".lua"));
    }
    String last = parts[parts.length - 1];
    String name = last.substring(last.lastIndexOf('/') + 1);
    return new Script(name, source.toString(), false, grants);
  }

  private static String read(String resource) {
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("script is missing from the jar: " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("script cannot be read: " + resource, e);
    }
  }

  private static byte[] sha(byte[] text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(text);
      return HexFormat.of().formatHex(digest).getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  /** Returns a copy that gets the run id of the server as its last argument. */
  public Script withRunId() {
    return new Script(name, new String(source, StandardCharsets.UTF_8), true, grants);
  }

  /** Returns a copy with more text at its end: what a program supplies. */
  public Script then(String newName, String more) {
    return new Script(
        newName, new String(source, StandardCharsets.UTF_8) + more, wantsRunId, grants);
  }

  /** Returns the name that errors show. */
  public String name() {
    return name;
  }

  /** Returns the whole text. */
  public byte[] source() {
    return source;
  }

  /** Returns what EVALSHA names it by. */
  public byte[] sha() {
    return sha;
  }

  /** Returns whether the run id of the server is added as its last argument. */
  public boolean wantsRunId() {
    return wantsRunId;
  }

  /**
   * Returns whether it grants or writes something new, such as a lock, a claim or a number. A
   * server that is being replaced must not run such a script.
   */
  public boolean grants() {
    return grants;
  }

  @Override
  public String toString() {
    return name;
  }
}
