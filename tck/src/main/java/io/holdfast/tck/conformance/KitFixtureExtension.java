package io.holdfast.tck.conformance;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Creates a fixture for each test of the kit and closes it. */
final class KitFixtureExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver, InvocationInterceptor {

  private static final Namespace OURS = Namespace.create(KitFixtureExtension.class);

  /** Newer versions of JUnit close values in a store; the fixture is closed here. */
  private record Open(KitFixture fixture) {}

  static KitFixture fixture(ExtensionContext context) {
    Open open = context.getStore(OURS).get(Open.class, Open.class);
    if (open == null) {
      throw new IllegalStateException("there is a fixture only while a test runs");
    }
    return open.fixture;
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    EngineConformanceKit kit = (EngineConformanceKit) context.getRequiredTestInstance();
    context.getStore(OURS).put(Open.class, new Open(new KitFixture(kit.open())));
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    try (KitFixture fixture = fixture(context)) {
      if (context.getExecutionException().isPresent()) {
        KitOutput.print("to replay: -Dseed=" + fixture.seed());
      } else {
        fixture.checkRuntimeRules();
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == KitFixture.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return fixture(context);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    Requires requires = context.getRequiredTestMethod().getAnnotation(Requires.class);
    KitFixture fixture = fixture(context);
    if (requires != null) {
      for (Capability capability : requires.value()) {
        if (!capability.isClaimed(fixture)) {
          invocation.skip();
          KitOutput.print(context.getDisplayName() + ": " + capability + " is not claimed");
          capability.checkUnclaimed(fixture);
          return;
        }
      }
    }
    invocation.proceed();
  }
}
