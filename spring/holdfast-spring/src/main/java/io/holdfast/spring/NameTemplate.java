package io.holdfast.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ObjectUtils;

/** The name of a lock: text, and SpEL in slots. Parsed once, when the program starts. */
final class NameTemplate {

  private static final SpelExpressionParser PARSER = new SpelExpressionParser();
  private static final ParameterNameDiscoverer PARAMETERS = new DefaultParameterNameDiscoverer();
  private static final Pattern VARIABLE = Pattern.compile("#([A-Za-z_$][\\w$]*)");
  private static final Pattern BY_POSITION = Pattern.compile("[ap]\\d+");
  private static final Set<String> BUILT_IN = Set.of("root", "this");

  private final String source;
  private final String where;
  private final Method method;
  private final String @Nullable [] parameters;
  private final List<SpelExpression> slots = new ArrayList<>();

  /** The text around the slots: one more than there are slots. */
  private final List<String> texts = new ArrayList<>();

  /**
   * Parses a name whose properties are resolved already.
   *
   * @param where the annotation and its method, for messages
   * @throws IllegalStateException when it cannot be a name, or one of its slots is no expression
   */
  NameTemplate(String source, Method method, String where) {
    this.source = source;
    this.method = method;
    this.where = where;
    this.parameters = PARAMETERS.getParameterNames(method);
    parse();
    if (tag().isBlank()) {
      throw new IllegalStateException(where + " has no name; set name");
    }
  }

  /** Returns the name with empty slots. */
  String tag() {
    return String.join("{}", texts);
  }

  boolean hasSlots() {
    return !slots.isEmpty();
  }

  private void parse() {
    StringBuilder text = new StringBuilder();
    int at = 0;
    while (at < source.length()) {
      char c = source.charAt(at);
      boolean doubled = at + 1 < source.length() && source.charAt(at + 1) == c;
      if ((c == '{' || c == '}') && doubled) {
        text.append(c);
        at += 2;
      } else if (c == '{') {
        int end = endOfSlot(at + 1);
        addText(text.toString(), true);
        slots.add(expression(source.substring(at + 1, end)));
        text.setLength(0);
        at = end + 1;
      } else {
        text.append(c);
        at++;
      }
    }
    addText(text.toString(), false);
  }

  private void addText(String text, boolean beforeSlot) {
    if (beforeSlot && text.endsWith("#")) {
      throw new IllegalStateException(
          where + ": the name \"" + source + "\" has \"#{\"; slots are written {#argument}");
    }
    if (beforeSlot && text.endsWith("$")) {
      throw new IllegalStateException(
          where + ": the name \"" + source + "\" has a property that is not set");
    }
    Matcher variable = VARIABLE.matcher(text);
    while (variable.find()) {
      if (isVariable(variable.group(1))) {
        throw new IllegalStateException(
            where
                + ": the name \""
                + source
                + "\" has "
                + variable.group()
                + " outside of a slot, so all calls would share one lock; write {"
                + variable.group()
                + "}");
      }
    }
    texts.add(text);
  }

  private int endOfSlot(int from) {
    int depth = 1;
    char quote = 0;
    for (int at = from; at < source.length(); at++) {
      char c = source.charAt(at);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return at;
      }
    }
    throw new IllegalStateException(
        where + ": the name \"" + source + "\" has a { without a }; write {{ for a brace");
  }

  private SpelExpression expression(String text) {
    SpelExpression parsed;
    try {
      parsed = (SpelExpression) PARSER.parseExpression(text);
    } catch (ParseException | IllegalStateException | IllegalArgumentException e) {
      throw new IllegalStateException(
          where
              + ": {"
              + text
              + "} in the name \""
              + source
              + "\" is not an expression: "
              + e.getMessage(),
          e);
    }
    checkVariables(parsed.getAST());
    return parsed;
  }

  private void checkVariables(SpelNode node) {
    if (node instanceof VariableReference) {
      String variable = node.toStringAST().substring(1);
      if (!isVariable(variable)) {
        throw new IllegalStateException(
            where
                + ": #"
                + variable
                + " in the name \""
                + source
                + "\" is not an argument of the method; "
                + (parameters == null
                    ? "the names of the arguments are not known: compile with -parameters, or"
                        + " write #p0"
                    : "the arguments are " + Arrays.toString(parameters)));
      }
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      checkVariables(node.getChild(i));
    }
  }

  private boolean isVariable(String name) {
    if (BUILT_IN.contains(name)) {
      return true;
    }
    if (BY_POSITION.matcher(name).matches()) {
      return Integer.parseInt(name.substring(1)) < method.getParameterCount();
    }
    return parameters != null && Arrays.asList(parameters).contains(name);
  }

  /**
   * Returns the names that a call stands for, without duplicates; at least one.
   *
   * @throws IllegalArgumentException when a slot is empty, cannot be evaluated, or has a value that
   *     another process may write in another way
   */
  List<String> fill(Object target, @Nullable Object[] arguments, HoldfastClients clients) {
    if (slots.isEmpty()) {
      return texts;
    }
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(target, method, arguments, PARAMETERS);
    context.setBeanResolver(new BeanFactoryResolver(clients.beans()));
    List<String> names = List.of(texts.get(0));
    for (int slot = 0; slot < slots.size(); slot++) {
      String after = texts.get(slot + 1);
      List<String> values = values(slots.get(slot), context);
      names =
          names.stream()
              .flatMap(before -> values.stream().map(value -> before + value + after))
              .toList();
    }
    return List.copyOf(new LinkedHashSet<>(names));
  }

  private List<String> values(SpelExpression slot, MethodBasedEvaluationContext context) {
    Object value;
    try {
      value = slot.getValue(context);
    } catch (EvaluationException e) {
      throw new IllegalArgumentException(
          unnamed(slot, "could not be evaluated: " + e.getMessage()), e);
    }
    Collection<?> all = asCollection(value);
    if (all.isEmpty()) {
      throw new IllegalArgumentException(missing(slot, "is an empty collection"));
    }
    return all.stream().map(each -> text(slot, each)).toList();
  }

  private static Collection<?> asCollection(@Nullable Object value) {
    if (value instanceof Collection<?> collection) {
      return collection;
    }
    return ObjectUtils.isArray(value)
        ? Arrays.asList(ObjectUtils.toObjectArray(value))
        : Collections.singletonList(value);
  }

  private String text(SpelExpression slot, @Nullable Object value) {
    Object plain = SlotText.content(value);
    if (plain == null) {
      throw new IllegalArgumentException(missing(slot, "is null"));
    }
    String text = plain.toString();
    if (text == null || text.isBlank()) {
      throw new IllegalArgumentException(missing(slot, "is blank"));
    }
    String objection = SlotText.objection(plain, text);
    if (objection != null) {
      throw new IllegalArgumentException(unnamed(slot, objection));
    }
    return text;
  }

  private String missing(SpelExpression slot, String what) {
    return unnamed(slot, what + "; a name without it would be shared by all callers");
  }

  private String unnamed(SpelExpression slot, String what) {
    return where
        + ": no lock for the name \""
        + source
        + "\": {"
        + slot.getExpressionString()
        + "} "
        + what;
  }
}
