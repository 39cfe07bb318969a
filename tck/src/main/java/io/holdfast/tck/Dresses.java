package io.holdfast.tck;

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

/** Brings a test of {@link EveryMutex} each dress in turn. */
final class Dresses implements TestTemplateInvocationContextProvider {

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    EveryMutex asked = context.getRequiredTestMethod().getAnnotation(EveryMutex.class);
    return Arrays.stream(Dress.values())
        .filter(dress -> dress != Dress.ONCE || asked.once())
        .filter(dress -> dress.keepsOrder() || !asked.ordered())
        .map(Fitting::new);
  }

  /** One invocation; where the store does not claim the shape, the refusal is tested instead. */
  private record Fitting(Dress dress)
      implements TestTemplateInvocationContext, ParameterResolver, InvocationInterceptor {

    @Override
    public String getDisplayName(int invocation) {
      return dress.toString();
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Dress.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return dress;
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> invoked,
        ExtensionContext context)
        throws Throwable {
      Stage stage = StageExtension.stage(context);
      if (stage.traits().serves(dress.shape())) {
        invocation.proceed();
      } else {
        invocation.skip();
        Refusal.check(stage, dress.shape());
      }
    }
  }
}
