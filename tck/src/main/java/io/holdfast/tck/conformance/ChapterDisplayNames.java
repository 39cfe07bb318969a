package io.holdfast.tck.conformance;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DisplayNameGenerator;

/** Generates display names: the chapter, then the test's method name as a sentence. */
final class ChapterDisplayNames extends DisplayNameGenerator.Standard {

  /** For JUnit. */
  public ChapterDisplayNames() {}

  @Override
  public String generateDisplayNameForMethod(
      List<Class<?>> enclosing, Class<?> test, Method method) {
    DisplayName chapter = method.getDeclaringClass().getAnnotation(DisplayName.class);
    String sentence = method.getName().replace('_', ' ');
    return chapter == null ? sentence : chapter.value() + ": " + sentence;
  }
}
