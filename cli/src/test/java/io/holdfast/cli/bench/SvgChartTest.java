package io.holdfast.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class SvgChartTest {

  private static Document chart(RaceResult... rows) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(SvgChart.of(List.of(rows)))));
  }

  private static List<Element> all(Document chart, String tag) {
    NodeList nodes = chart.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  @Test
  void bars_are_as_long_as_the_figures_say() throws Exception {
    List<Element> bars =
        all(
            chart(Samples.row(Samples.figures("holdfast a", 100), Samples.figures("b", 400))),
            "rect");
    assertThat(bars).hasSize(2);
    assertThat(number(bars.get(0), "width")).isCloseTo(100, within(0.1));
    assertThat(number(bars.get(1), "width")).isCloseTo(400, within(0.1));
    assertThat(bars.get(0).getAttribute("class")).isEqualTo("holdfast");
    assertThat(bars.get(1).getAttribute("class")).isEqualTo("peer");
  }

  @Test
  void the_thin_line_goes_from_the_slowest_to_the_fastest_round() throws Exception {
    Document chart = chart(Samples.row(Samples.figures("a", 100, 200, 400)));
    Element bar = all(chart, "rect").get(0);
    Element line =
        all(chart, "line").stream()
            .filter(element -> element.getAttribute("class").equals("spread"))
            .findFirst()
            .orElseThrow();
    double left = number(bar, "x");
    assertThat(number(bar, "width")).isCloseTo(200, within(0.1));
    assertThat(number(line, "x1") - left).isCloseTo(100, within(0.1));
    assertThat(number(line, "x2") - left).isCloseTo(400, within(0.1));
  }

  @Test
  void words_are_escaped_and_figures_shown() throws Exception {
    Document chart = chart(Samples.row(Samples.figures("<a> & b", 1_234)));
    assertThat(all(chart, "text"))
        .extracting(Element::getTextContent)
        .contains("a < b & c", "<a> & b", "1,234/sp99 1 us, longest 1 us");
  }

  @Test
  void everything_lies_within_the_picture() throws Exception {
    String longName = "a contender with a name that is a good deal longer than usual";
    Document chart =
        chart(
            Samples.row(Samples.figures(longName, 100), Samples.figures("b", 4_000)),
            Samples.row(Samples.figures("c", 7)));
    Element root = chart.getDocumentElement();
    for (Element bar : all(chart, "rect")) {
      assertThat(number(bar, "x") + number(bar, "width")).isLessThan(number(root, "width"));
      assertThat(number(bar, "y") + number(bar, "height")).isLessThan(number(root, "height"));
      assertThat(number(bar, "x")).isGreaterThan(longName.length() * 6.5);
    }
  }

  @Test
  void a_racer_with_faults_is_marked() throws Exception {
    List<Sample> broken = List.of(Samples.second(10, 10, List.of("lost")));
    Figures figures = Figures.of(Samples.entry("a"), broken.get(0), broken);
    assertThat(SvgChart.of(List.of(Samples.row(figures)))).contains("BROKEN");
  }

  @Test
  void nothing_at_all_is_still_a_chart() throws Exception {
    assertThat(chart().getDocumentElement().getTagName()).isEqualTo("svg");
  }
}
