package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("Java in the documentation")
class DocumentationTest {

  @TestFactory
  @DisplayName("is taken from an example that runs")
  Stream<DynamicTest> blocks() throws IOException {
    Map<Path, List<String>> sources = Sources.all();
    return blocksOf(pages()).stream()
        .map(block -> DynamicTest.dynamicTest(block.place(), () -> check(block, sources)));
  }

  private static void check(CodeBlock block, Map<Path, List<String>> sources) {
    assertThat(block.difference(sources)).isEmpty();
  }

  private static Map<Path, List<String>> pages() throws IOException {
    Map<Path, List<String>> pages = new TreeMap<>();
    pages.putAll(Sources.read(Sources.project().resolve("README.md"), ".md"));
    pages.putAll(Sources.read(Sources.project().resolve("docs"), ".md"));
    return pages;
  }

  private static List<CodeBlock> blocksOf(Map<Path, List<String>> pages) {
    List<CodeBlock> blocks = new ArrayList<>();
    pages.forEach(
        (page, text) -> {
          String name = Sources.project().relativize(page).toString();
          blocks.addAll(CodeBlock.in(name, text));
        });
    return blocks;
  }

  @Test
  @DisplayName("is found in its page, whatever stands around it")
  void found() {
    List<String> page =
        List.of("# Page", "```sh", "java -jar", "```", "```java", "", "a();", "b();", "```", "end");

    assertThat(CodeBlock.in("page.md", page))
        .containsExactly(new CodeBlock("page.md:5", List.of("a();", "b();")));
  }

  @Test
  @DisplayName("may be indented in another way, but not differ or skip a line")
  void compared() {
    Map<Path, List<String>> sources = Map.of(Path.of("A.java"), List.of("a();", "b();", "c();"));

    assertThat(new CodeBlock("p:1", List.of("b();", "c();")).difference(sources)).isEmpty();
    assertThat(new CodeBlock("p:1", List.of("a();", "c();")).difference(sources))
        .contains("p:1", "1 lines match", "A.java:2", "b();");
    assertThat(Sources.normalized("\t  a();   // b")).isEqualTo("a(); // b");
  }
}
