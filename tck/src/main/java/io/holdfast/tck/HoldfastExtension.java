package io.holdfast.tck;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A JUnit extension that opens a {@link Sandbox} for each test and closes it.
 *
 * <p>Tests and set-up methods declare parameters of the types that they need: {@link Holdfast},
 * {@link ManualTime}, {@link FaultyEngine} or {@link Sandbox}.
 *
 * <pre>{@code
 * @ExtendWith(HoldfastExtension.class)
 * class InvoiceJobTest {
 *   @Test
 *   void writes_nothing_after_its_lease_ran_out(Holdfast holdfast, Sandbox sandbox) {…}
 * }
 * }</pre>
 *
 * <p>A test that leaves a hold open fails, unless that is {@linkplain #allowingOpenHolds()
 * allowed}. To set options, register the extension as a field: {@code @RegisterExtension
 * HoldfastExtension holdfast = new HoldfastExtension().withOptions(…)}.
 */
public final class HoldfastExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver {

  private static final Namespace OURS = Namespace.create(HoldfastExtension.class);

  /** Newer versions of JUnit close values in a store; the sandbox is closed here. */
  private record Open(Sandbox sandbox) {}

  private final HoldfastOptions options;
  private final boolean lanes;
  private final boolean openHoldsAllowed;

  /** Creates an extension with default options that does not allow open holds. */
  public HoldfastExtension() {
    this(HoldfastOptions.DEFAULTS, false, false);
  }

  private HoldfastExtension(HoldfastOptions options, boolean lanes, boolean openHoldsAllowed) {
    this.options = options;
    this.lanes = lanes;
    this.openHoldsAllowed = openHoldsAllowed;
  }

  /** Returns a copy whose clients have these options. */
  public HoldfastExtension withOptions(HoldfastOptions value) {
    return new HoldfastExtension(value, lanes, openHoldsAllowed);
  }

  /** Returns a copy whose clients reach the store {@linkplain Sandbox#withLanes through lanes}. */
  public HoldfastExtension withLanes() {
    return new HoldfastExtension(options, true, openHoldsAllowed);
  }

  /** Returns a copy that allows a test to leave holds open. */
  public HoldfastExtension allowingOpenHolds() {
    return new HoldfastExtension(options, lanes, true);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    open(context).time().drive();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Open open = context.getStore(OURS).remove(Open.class, Open.class);
    if (open == null) {
      return;
    }
    try (Sandbox sandbox = open.sandbox) {
      boolean passed = context.getExecutionException().isEmpty();
      sandbox.endFaults();
      int held = sandbox.held();
      if (passed && held > 0 && !openHoldsAllowed) {
        throw new AssertionError(
            held + " holds are still open at the end of the test; release them, or allow it");
      }
    }
  }

  private Sandbox open(ExtensionContext context) {
    return context
        .getStore(OURS)
        .getOrComputeIfAbsent(
            Open.class,
            key -> new Open(lanes ? Sandbox.withLanes(options) : Sandbox.open(options)),
            Open.class)
        .sandbox;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    boolean perTest = context.getTestMethod().isPresent();
    return perTest
        && (type == Holdfast.class
            || type == ManualTime.class
            || type == FaultyEngine.class
            || type == Sandbox.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Sandbox sandbox = open(context);
    Class<?> type = parameter.getParameter().getType();
    if (type == Holdfast.class) {
      return sandbox.holdfast();
    } else if (type == ManualTime.class) {
      return sandbox.time();
    } else if (type == FaultyEngine.class) {
      return sandbox.faults();
    }
    return sandbox;
  }
}
