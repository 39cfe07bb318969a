package io.holdfast.spring;

import io.holdfast.Hold;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedMethod;

/** The parameter of a method that receives the fencing token, if there is one. */
final class TokenParameter {

  private final String where;
  private final int index;
  private final boolean map;

  /**
   * Looks for the parameter.
   *
   * @throws IllegalStateException when it is of another type than a token
   */
  TokenParameter(Method method, String where) {
    this.where = where;
    int found = -1;
    boolean many = false;
    MethodParameter[] parameters = new AnnotatedMethod(method).getMethodParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (!parameters[i].hasParameterAnnotation(Token.class)) {
        continue;
      }
      Class<?> type = parameters[i].getParameterType();
      if (type != long.class && type != Long.class && type != Map.class) {
        throw new IllegalStateException(
            where + ": @Token is for long or Map<String, Long>, not for " + type.getName());
      }
      if (found >= 0) {
        throw new IllegalStateException(where + " has more than one @Token");
      }
      found = i;
      many = type == Map.class;
    }
    this.index = found;
    this.map = many;
  }

  /** Fails when a method that is never given a token has such a parameter. */
  static void requireNone(Method method, String where) {
    if (new TokenParameter(method, where).index >= 0) {
      throw new IllegalStateException(
          where + ": @Token is for @Locked; Holds.current() has the token here");
    }
  }

  /** Fails before anything is acquired when the parameter cannot receive this many tokens. */
  void requireFit(List<String> names) {
    if (index >= 0 && !map && names.size() > 1) {
      throw new IllegalArgumentException(
          where
              + ": one @Token long for "
              + names.size()
              + " names, whose tokens do not compare; receive them as Map<String, Long>");
    }
  }

  void set(@Nullable Object[] arguments, List<HeldLock> locks) {
    if (index < 0) {
      return;
    }
    if (!map) {
      arguments[index] = token(locks.get(0).hold());
      return;
    }
    Map<String, Long> tokens = new LinkedHashMap<>();
    locks.forEach(lock -> tokens.put(lock.name(), token(lock.hold())));
    arguments[index] = Map.copyOf(tokens);
  }

  private static Long token(Hold hold) {
    return hold.token();
  }
}
