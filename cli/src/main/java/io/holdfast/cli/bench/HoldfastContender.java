package io.holdfast.cli.bench;

import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Outcome;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.spi.Order;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Holdfast over the engine of a URI, with a new lock object per use. */
public final class HoldfastContender implements Contender {

  /** How its names begin. */
  public static final String NAME = "holdfast";

  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final Pattern SCHEME = Pattern.compile("(jdbc:)?[A-Za-z][A-Za-z0-9+.-]*:");

  /** An engine's way of locking, where it has several. */
  private static final Pattern MODE = Pattern.compile("[?&]holdfast\\.mode=([a-z]+)");

  private final String uri;
  private final Order order;
  private final Duration lease;
  private final String scheme;
  private final String mode;
  private final String namespace;

  /**
   * A contender over a store that need not be up yet.
   *
   * @param lease unless the URI has its own
   * @param namespace empty: as the URI says
   * @throws CliException when the URI has no scheme
   */
  public HoldfastContender(String uri, Order order, Duration lease, String namespace) {
    Matcher matcher = SCHEME.matcher(uri);
    if (!matcher.lookingAt()) {
      // Not quoted: what has no scheme may still have a password.
      throw new CliException(ExitCode.USAGE, "--store must begin with a scheme, such as memory:");
    }
    this.uri = uri;
    this.order = order;
    this.lease = lease;
    this.scheme = matcher.group().toLowerCase(Locale.ROOT);
    Matcher said = MODE.matcher(uri);
    this.mode = said.find() ? said.group(1) + " " : "";
    this.namespace = namespace;
  }

  @Override
  public String name() {
    return NAME + " " + scheme + " " + mode + order.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public boolean acrossProcesses() {
    return !isMemory();
  }

  private boolean isMemory() {
    return scheme.equals("memory:");
  }

  @Override
  public Session open(Path folder) {
    HoldfastOptions options = HoldfastOptions.DEFAULTS.withOrder(order).withLease(lease);
    Holdfast holdfast = Holdfast.connect(uri, options);
    return new Connected(
        namespace.isEmpty() ? holdfast : holdfast.with(o -> o.withNamespace(namespace)));
  }

  private record Connected(Holdfast holdfast) implements Session {

    @Override
    public Caller caller() {
      return new HoldCaller(holdfast);
    }

    @Override
    public void close() {
      holdfast.close();
    }
  }

  private static final class HoldCaller implements Caller {
    private final Holdfast holdfast;
    private @Nullable Hold hold;

    HoldCaller(Holdfast holdfast) {
      this.holdfast = holdfast;
    }

    @Override
    public long acquire(String name) throws InterruptedException {
      Hold got = holdfast.lock(name).acquire(WAIT);
      hold = got;
      return got.token();
    }

    @Override
    public void release() {
      Outcome outcome = Objects.requireNonNull(hold).release();
      if (outcome != Outcome.RELEASED) {
        throw new IllegalStateException("release returned " + outcome);
      }
    }

    @Override
    public boolean isHeld() {
      return hold != null && hold.isHeld();
    }
  }
}
