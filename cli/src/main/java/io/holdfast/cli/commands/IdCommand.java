package io.holdfast.cli.commands;

import io.holdfast.Holdfast;
import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Json;
import io.holdfast.cli.Screen;
import io.holdfast.cli.store.StoreOption;
import io.holdfast.ids.IdSpec;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code id}: generates unique ids, and decodes them. */
@Command(
    name = "id",
    description = {
      "Generates unique ids, or decodes one.",
      "uuid4 and uuid7 need no store. timeline:NAME, segment:NAME and counter:NAME are numbers"
          + " that the store keeps unique: docs/ids.md says when to use which."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast id",
      "  holdfast id --generator timeline:orders -n 10 --form dated",
      "  holdfast id --generator counter:invoices --store redis://db",
      "  holdfast id --decode 0199f3c2-7f00-7abc-8def-0123456789ab",
      "  holdfast id --decode 20261115-5CSCJM5807"
    })
public final class IdCommand implements Callable<Integer> {

  private static final int MOST = 1_000_000;

  /** After so many it is looked at whether anybody still wants them. */
  private static final int LOOK = 100;

  @Mixin private StoreOption store = new StoreOption();

  @Option(
      names = "--generator",
      paramLabel = "KIND",
      description = "uuid4, uuid7 (default), timeline:NAME, segment:NAME or counter:NAME.")
  private @Nullable String generator;

  @Option(
      names = "--form",
      paramLabel = "FORM",
      description = "Format of numbers: decimal (default), crockford, base62 or dated.")
  private @Nullable String form;

  @Option(names = "-n", paramLabel = "COUNT", description = "Number of ids; default 1.")
  private @Nullable Integer wanted;

  @Option(
      names = "--decode",
      paramLabel = "ID",
      description = "Decode this id instead; needs no store.")
  private @Nullable String decode;

  @Option(names = "--json", description = "Print one JSON object per line.")
  private boolean json;

  /** For picocli. */
  public IdCommand() {}

  @Override
  public Integer call() {
    Screen out = Screen.out();
    if (decode != null) {
      print(out, decode);
      return ExitCode.OK;
    }
    int count = count();
    IdSpec spec = spec();
    if (spec.kind().needsStore()) {
      // Ends last: a worker number that was leased is given back also after Ctrl-C.
      try (CleanupOnSignal end = new CleanupOnSignal();
          Holdfast holdfast = store.open();
          IdSpec.Texts texts = open(spec, holdfast)) {
        print(out, texts, count);
      }
    } else {
      try (IdSpec.Texts texts = spec.open()) {
        print(out, texts, count);
      }
    }
    return ExitCode.OK;
  }

  private void print(Screen out, String id) {
    if (wanted != null || generator != null) {
      throw new CliException(
          ExitCode.USAGE, "--decode makes no ids: leave out -n and --generator, or --decode");
    }
    DecodedId decoded = DecodedId.of(id, form);
    if (json) {
      out.line(Json.text(decoded.json()));
    } else {
      decoded.lines().forEach(out::line);
    }
  }

  private int count() {
    int count = wanted == null ? 1 : wanted;
    if (count < 1 || count > MOST) {
      throw new CliException(ExitCode.USAGE, "-n must be 1 to " + MOST + ": -n " + count);
    }
    return count;
  }

  private IdSpec spec() {
    String kind = generator == null ? "uuid7" : generator;
    IdSpec spec = IdSpec.parse(kind, form == null ? "decimal" : form);
    if (form != null && !spec.kind().needsStore()) {
      throw new CliException(ExitCode.USAGE, "--form is for numbers, and " + kind + " makes none");
    }
    return spec;
  }

  private static IdSpec.Texts open(IdSpec spec, Holdfast holdfast) {
    try {
      return spec.open(holdfast);
    } catch (UnsupportedOperationException e) {
      // The store has no counters, and the text says what has.
      throw new CliException(ExitCode.REFUSED, String.valueOf(e.getMessage()));
    }
  }

  private void print(Screen out, IdSpec.Texts texts, int count) {
    for (int i = 0; i < count; i++) {
      if (i % LOOK == LOOK - 1 && (out.isGone() || Thread.currentThread().isInterrupted())) {
        return;
      }
      String id = texts.next();
      out.line(json ? Json.text(Map.of("id", id)) : id);
    }
  }
}
