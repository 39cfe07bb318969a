package io.holdfast.tck;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Sets the stage for each test of the kit and clears it away. */
final class StageExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver, InvocationInterceptor {

  private static final Namespace OURS = Namespace.create(StageExtension.class);

  /** Newer versions of JUnit close what they find in a store; the stage is closed here. */
  private record Set(Stage stage) {}

  static Stage stage(ExtensionContext context) {
    Set set = context.getStore(OURS).get(Set.class, Set.class);
    if (set == null) {
      throw new IllegalStateException("there is a stage only while a test runs");
    }
    return set.stage;
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    EngineConformanceKit kit = (EngineConformanceKit) context.getRequiredTestInstance();
    context.getStore(OURS).put(Set.class, new Set(new Stage(kit.open())));
  }

  @Override
  public void afterEach(ExtensionContext context) throws Exception {
    try (Stage stage = stage(context)) {
      if (context.getExecutionException().isPresent()) {
        Figures.print("to replay: -Dseed=" + stage.seed());
      } else {
        stage.checkCallers();
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Stage.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return stage(context);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    Needs needs = context.getRequiredTestMethod().getAnnotation(Needs.class);
    Stage stage = stage(context);
    if (needs != null) {
      for (Need need : needs.value()) {
        if (!need.isMet(stage)) {
          invocation.skip();
          Figures.print(context.getDisplayName() + ": " + need + " is not claimed");
          need.checkUnmet(stage);
          return;
        }
      }
    }
    invocation.proceed();
  }
}
