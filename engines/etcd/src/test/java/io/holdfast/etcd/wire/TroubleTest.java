package io.holdfast.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.holdfast.spi.EngineException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;

/** What may be said of a call that failed. */
class TroubleTest {

  private static final Status NOBODY =
      Status.UNAVAILABLE.withCause(new ConnectException("nobody there"));

  private final Trouble ours = new Trouble("here", "holdfast/", true);
  private final Trouble handedIn = new Trouble("here", "holdfast/", false);

  @Test
  void what_was_never_sent_was_not_done() {
    assertThat(ours.of(NOBODY)).isInstanceOf(EngineException.NotDone.class);
    assertThat(ours.of(Status.UNAVAILABLE.withDescription("etcdserver: no leader")))
        .isInstanceOf(EngineException.NotDone.class);
  }

  @Test
  void a_channel_of_somebody_else_may_have_sent_it_before() {
    assertThat(handedIn.of(NOBODY)).isInstanceOf(EngineException.Unknown.class);
    assertThat(handedIn.of(Status.UNAVAILABLE.withDescription("etcdserver: no leader")))
        .isInstanceOf(EngineException.Unknown.class);
  }

  @Test
  void what_took_the_last_space_may_have_been_done() {
    assertThat(
            ours.of(
                Status.RESOURCE_EXHAUSTED.withDescription(
                    "etcdserver: mvcc: database space exceeded")))
        .isInstanceOf(EngineException.Unknown.class)
        .hasMessageContaining("quota-backend-bytes");
  }
}
