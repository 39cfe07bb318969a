package io.holdfast.tck.conformance;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a test of {@link EveryMutexKind} once for each kind. */
final class MutexKindProvider implements TestTemplateInvocationContextProvider {

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    EveryMutexKind annotation = context.getRequiredTestMethod().getAnnotation(EveryMutexKind.class);
    return Arrays.stream(MutexKind.values())
        .filter(kind -> kind != MutexKind.ONCE || annotation.once())
        .filter(kind -> kind.keepsOrder() || !annotation.ordered())
        .map(KindInvocation::new);
  }

  /** One invocation. If the engine does not claim the shape, it must refuse it instead. */
  private record KindInvocation(MutexKind kind)
      implements TestTemplateInvocationContext, ParameterResolver, InvocationInterceptor {

    @Override
    public String getDisplayName(int invocation) {
      return kind.toString();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == MutexKind.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return kind;
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> invoked,
        ExtensionContext context)
        throws Throwable {
      KitFixture fixture = KitFixtureExtension.fixture(context);
      if (fixture.traits().serves(kind.shape())) {
        invocation.proceed();
      } else {
        invocation.skip();
        RefusalCheck.check(fixture, kind.shape());
      }
    }
  }
}
