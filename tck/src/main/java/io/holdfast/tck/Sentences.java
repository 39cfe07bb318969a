package io.holdfast.tck;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DisplayNameGenerator;

/** Shows a test as its chapter and the sentence that it tests. */
final class Sentences extends DisplayNameGenerator.Standard {

  /** For JUnit. */
  public Sentences() {}

  @Override
  public String generateDisplayNameForMethod(
      List<Class<?>> enclosing, Class<?> test, Method method) {
    DisplayName chapter = method.getDeclaringClass().getAnnotation(DisplayName.class);
    String sentence = method.getName().replace('_', ' ');
    return chapter == null ? sentence : chapter.value() + ": " + sentence;
  }
}
