package io.holdfast.cli.commands.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.cli.CliOutput;
import io.holdfast.cli.ExitCode;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Taking a grant away")
class ReleaseResultTest {

  /** A store that is asked, and does not reply. */
  private static final class Silent implements EngineInspector {

    @Override
    public List<LineView> list(String namespace, String prefix, String after, int limit) {
      return List.of();
    }

    @Override
    public Optional<LineView> show(Resource resource) {
      return Optional.empty();
    }

    @Override
    public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
      throw new EngineException.Unknown("no reply\u001b[2J", null);
    }

    @Override
    public Verdict evict(Resource resource, long token, String reason) throws EngineException {
      return revoke(resource, token, reason);
    }
  }

  @Test
  @DisplayName("is in doubt when the store does not reply, and is recorded as such")
  void doubt() {
    try (OperatorSession session = new OperatorSession(Holdfast.connect("memory:"), new Silent())) {
      ReleaseResult release =
          ReleaseResult.carryOut(session, new ReleaseResult.Aim("a", 7), "stuck", false);

      assertThat(release.isDone()).isFalse();
      assertThat(release.isInDoubt()).isTrue();
      assertThat(release.lines().get(0)).isEqualTo("in doubt: a, token 7: no reply\\u001b[2J");
      assertThat(release.json())
          .containsEntry("verdict", "in-doubt")
          .containsEntry("waiting", 0)
          .containsEntry("unlistedWaiters", false)
          .containsEntry("doubt", "no reply\u001b[2J");
    }
  }

  @Test
  @DisplayName("requires a printable reason")
  void reason() {
    CliOutput refused =
        CliOutput.by("release", "x", "--token", "1", "--reason", "a\u001bb", "--store", "memory:");

    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("control characters").doesNotContain("\u001b");
  }
}
