package io.holdfast.redis.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script: one atomic step of a server. Scripts are constants; data goes in keys and
 * arguments.
 */
public final class Script {

  private final String name;
  private final byte[] source;
  private final byte[] sha;
  private final boolean wantsRunId;
  private final boolean grants;

  /**
   * A script.
   *
   * @param name for errors
   * @param source the whole text
   * @param sha what EVALSHA names it by
   * @param wantsRunId whether the server's run id is to be added as its last argument
   */
  public Script(String name, byte[] source, byte[] sha, boolean wantsRunId) {
    this(name, source, sha, wantsRunId, false);
  }

  private Script(String name, byte[] source, byte[] sha, boolean wantsRunId, boolean grants) {
    this.grants = grants;
    this.name = name;
    this.source = source;
    this.sha = sha;
    this.wantsRunId = wantsRunId;
  }

  /**
   * Puts a script together.
   *
   * @param flags what it may do, such as {@code allow-oom}; empty for nothing special
   * @param parts resources beside the class, in order; the last one names the script
   */
  public static Script load(Class<?> beside, boolean wantsRunId, String flags, String... parts) {
    StringBuilder source = new StringBuilder("#!lua");
    if (!flags.isEmpty()) {
      source.append(" flags=").append(flags);
    }
    source.append('\n');
    for (String part : parts) {
      source.append(read(beside, part + ".lua"));
    }
    return of(parts[parts.length - 1], wantsRunId, flags.isEmpty(), source.toString());
  }

  /** This script with more text behind its own: what a program brings along. */
  public Script then(String nameOfMore, String more) {
    return of(nameOfMore, wantsRunId, grants, new String(source, StandardCharsets.UTF_8) + more);
  }

  private static Script of(String name, boolean wantsRunId, boolean grants, String text) {
    byte[] source = text.getBytes(StandardCharsets.UTF_8);
    return new Script(name, source, sha(source), wantsRunId, grants);
  }

  private static String read(Class<?> beside, String resource) {
    try (InputStream in = beside.getResourceAsStream(resource)) {
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

  /** For errors. */
  public String name() {
    return name;
  }

  /** The whole text. */
  public byte[] source() {
    return source;
  }

  /** What EVALSHA names it by. */
  public byte[] sha() {
    return sha;
  }

  /** Whether the server's run id is to be added as its last argument. */
  public boolean wantsRunId() {
    return wantsRunId;
  }

  /**
   * Whether it hands out or writes something new, such as a lock, a claim or a number, so that the
   * next master must know of it. Scripts that end or renew something may also run without memory to
   * spare: their flags are not empty.
   */
  public boolean grants() {
    return grants;
  }

  @Override
  public String toString() {
    return name;
  }
}
