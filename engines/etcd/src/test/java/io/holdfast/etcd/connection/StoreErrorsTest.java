package io.holdfast.etcd.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.holdfast.spi.EngineException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;

/** What may be said of a call that failed. */
class StoreErrorsTest {

  private static final Status NOBODY =
      Status.UNAVAILABLE.withCause(new ConnectException("nobody there"));

  private final StoreErrors ours = new StoreErrors("here", "holdfast/", true);
  private final StoreErrors supplied = new StoreErrors("here", "holdfast/", false);

  @Test
  void what_was_never_sent_was_not_done() {
    assertThat(ours.map(NOBODY)).isInstanceOf(EngineException.NotDone.class);
    assertThat(ours.map(Status.UNAVAILABLE.withDescription("etcdserver: no leader")))
        .isInstanceOf(EngineException.NotDone.class);
  }

  @Test
  void a_supplied_channel_may_have_sent_it_before() {
    assertThat(supplied.map(NOBODY)).isInstanceOf(EngineException.Unknown.class);
    assertThat(supplied.map(Status.UNAVAILABLE.withDescription("etcdserver: no leader")))
        .isInstanceOf(EngineException.Unknown.class);
  }

  @Test
  void what_took_the_last_space_may_have_been_done() {
    assertThat(
            ours.map(
                Status.RESOURCE_EXHAUSTED.withDescription(
                    "etcdserver: mvcc: database space exceeded")))
        .isInstanceOf(EngineException.Unknown.class)
        .hasMessageContaining("quota-backend-bytes");
  }
}
