package io.holdfast.cli.commands;

import io.holdfast.Holdfast;
import io.holdfast.cli.Colours.Ink;
import io.holdfast.cli.Durations;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Json;
import io.holdfast.cli.Screen;
import io.holdfast.cli.store.StoreOption;
import io.holdfast.spi.EngineTraits;
import io.holdfast.spi.Guarantee;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code guarantees}: lists what a store guarantees, and what breaks it. */
@Command(
    name = "guarantees",
    description = {
      "Lists what this store guarantees, and what breaks it.",
      "See docs/guarantees.md for the full text."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast guarantees",
      "  holdfast guarantees --store 'redis://db?strict=true'",
      "  holdfast guarantees --json | jq .promises"
    })
public final class GuaranteesCommand implements Callable<Integer> {

  @Mixin private StoreOption store = new StoreOption();

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  /** For picocli. */
  public GuaranteesCommand() {}

  @Override
  public Integer call() {
    Screen out = Screen.out();
    String scheme = BreakingConditions.scheme(store.address().uri());
    try (Holdfast holdfast = store.open()) {
      EngineTraits traits = holdfast.traits();
      Set<Guarantee> kept = holdfast.guarantees();
      List<String> breaks = BreakingConditions.of(scheme, traits, kept);
      if (json) {
        out.line(Json.text(json(traits, kept, breaks)));
      } else {
        print(out, traits, kept, breaks);
      }
      return ExitCode.OK;
    }
  }

  private static void print(
      Screen out, EngineTraits traits, Set<Guarantee> promised, List<String> breaks) {
    out.line(out.paint(Ink.BOLD, "What " + traits.store() + " promises"));
    for (Guarantee guarantee : Guarantee.values()) {
      boolean kept = promised.contains(guarantee);
      String word = kept ? out.paint(Ink.GOOD, "yes") : out.paint(Ink.WARN, "no ");
      String name = String.format(Locale.ROOT, "%-28s", guarantee);
      out.line("  " + word + "  " + name + meaning(guarantee));
    }
    traits
        .sessionLease()
        .ifPresent(
            lease -> out.line("  locks live with the client's session: " + Durations.text(lease)));
    out.line("");
    out.line(out.paint(Ink.BOLD, "What breaks it"));
    breaks.forEach(line -> out.line("  - " + line));
  }

  private static Map<String, Object> json(
      EngineTraits traits, Set<Guarantee> kept, List<String> breaks) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("store", traits.store());
    json.put("promises", Stream.of(Guarantee.values()).filter(kept::contains).toList());
    json.put("notPromised", Stream.of(Guarantee.values()).filter(g -> !kept.contains(g)).toList());
    json.put("kinds", traits.kinds().stream().sorted().toList());
    json.put("orders", traits.orders().stream().sorted().toList());
    json.put("sessionLeaseMillis", traits.sessionLease().map(lease -> lease.toMillis()));
    json.put("breaks", breaks);
    return json;
  }

  private static String meaning(Guarantee guarantee) {
    return switch (guarantee) {
      case FENCING -> "every later exclusive grant has a larger token";
      case FIFO -> "mutexes can be taken strictly in order";
      case SHARED -> "semaphores and read/write locks";
      case SIGNALS -> "waiters are notified; otherwise they poll about every half second";
      case STEADY_LEASES -> "leases are counted on a clock that does not step";
      case ACROSS_PROCESSES -> "several processes see the same locks";
      case TOKENS_SURVIVE_RESTART -> "tokens go on rising after a restart of the store";
      case EXCLUSION_SURVIVES_RESTART -> "no grant overlaps one from before a restart";
      case TOKENS_SURVIVE_FAILOVER -> "tokens go on rising after a replica took over";
      case EXCLUSION_SURVIVES_FAILOVER -> "no grant overlaps one from before that";
      case PORTABLE_TICKETS -> "any process that has a ticket can renew and release it";
    };
  }
}
