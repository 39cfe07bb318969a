package io.holdfast.cli.commands.inspect;

import io.holdfast.cli.CliException;
import io.holdfast.cli.ExitCode;
import io.holdfast.cli.Json;
import io.holdfast.cli.Screen;
import io.holdfast.cli.store.StoreOption;
import io.holdfast.spi.EngineInspector.LineView;
import io.holdfast.spi.EngineInspector.TicketView;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code release}: takes a lock away from its holder. */
@Command(
    name = "release",
    description = {
      "Takes a lock away from its holder.",
      "Only from the holder with this token, as 'show' prints it: if the lock has another holder by"
          + " now, nothing is done and the exit code is 1.",
      "By default the lock is revoked: the holder is notified by a signal or at its next renewal, and the next"
          + " waiter gets in when it has left or its lease has ended. With --evict the next waiter"
          + " gets in at once, while the old holder may still be working: only the token protects what"
          + " it writes.",
      "The holder sees the reason and your name; both are logged in releases.log in the state"
          + " folder."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  holdfast show orders/42",
      "  holdfast release orders/42 --token 27783012352 --reason 'stuck'",
      "  holdfast release orders/42 --token 27783012352 --reason 'gone' --evict",
      "  holdfast release --host web-3 --reason 'machine burnt' --evict"
    })
public final class ReleaseCommand implements Callable<Integer> {

  private static final int LIMIT = 1_000_000;

  @Mixin private StoreOption store = new StoreOption();

  @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "The lock.")
  private @Nullable String name;

  @Option(
      names = "--token",
      paramLabel = "T",
      description = "The holder's token, as 'show' prints it.")
  private @Nullable Long token;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "Instead of a name and a token: all locks held from this machine.")
  private @Nullable String host;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      required = true,
      description = "The reason; the holder sees it.")
  private String reason = "";

  @Option(names = "--evict", description = "Let the next waiter in at once.")
  private boolean evict;

  @Option(names = "--json", description = "Print one JSON object for each grant.")
  private boolean json;

  /** For picocli. */
  public ReleaseCommand() {}

  @Override
  public Integer call() {
    requireSense();
    ReleaseLog operator = ReleaseLog.ofThisProcess();
    try (OperatorSession session = OperatorSession.open(store);
        ReleaseLog.Writer ledger = operator.open()) {
      List<ReleaseResult> releases = new ArrayList<>();
      for (ReleaseResult.Aim aim : aims(session)) {
        ReleaseResult release =
            ReleaseResult.carryOut(session, aim, operator.signed(reason), evict);
        releases.add(release);
        // The record first: the reader of the output may be gone.
        ledger.note(session.store(), release);
        print(release);
      }
      if (releases.isEmpty()) {
        Screen.err().line(Screen.safe("nothing is held from " + host + " at " + session.store()));
      }
      if (releases.stream().anyMatch(ReleaseResult::isInDoubt)) {
        return ExitCode.STORE;
      }
      boolean done = !releases.isEmpty() && releases.stream().allMatch(ReleaseResult::isDone);
      return done ? ExitCode.OK : ExitCode.NOT_ACQUIRED;
    }
  }

  private void requireSense() {
    boolean one = name != null && token != null && host == null;
    boolean many = name == null && token == null && host != null;
    if (!one && !many) {
      throw new CliException(
          ExitCode.USAGE, "give NAME and --token, as 'holdfast show NAME' has it; or --host alone");
    }
    if (reason.isBlank()) {
      throw new CliException(ExitCode.USAGE, "--reason must say something: the holder sees it");
    }
    if (reason.codePoints().anyMatch(Screen::isOdd)) {
      throw new CliException(
          ExitCode.USAGE, "--reason must be one line of text without control characters");
    }
  }

  private List<ReleaseResult.Aim> aims(OperatorSession session) {
    if (name != null && token != null) {
      return List.of(new ReleaseResult.Aim(name, token));
    }
    List<ReleaseResult.Aim> aims = new ArrayList<>();
    for (LineView line : session.lines(NamePattern.of(""), each -> true, LIMIT)) {
      for (TicketView holder : new LineDescription(line).holders()) {
        if (holder.owner().host().equals(host)) {
          aims.add(new ReleaseResult.Aim(line.resource().name(), holder.token()));
        }
      }
    }
    return aims;
  }

  private void print(ReleaseResult release) {
    Screen out = Screen.out();
    if (json) {
      out.line(Json.text(release.json()));
    } else {
      release.lines().forEach(out::line);
    }
  }
}
