package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Lazy;

/** U52: only calls of annotated methods through the proxy acquire and join. */
@Timeout(60)
class U52ProxyCallsTest {

  static class Service {
    final Holdfast holdfast;
    final Service proxy;

    Service(Holdfast holdfast, @Lazy Service proxy) {
      this.holdfast = holdfast;
      this.proxy = proxy;
    }

    @Locked("other")
    List<String> other() {
      return Operators.names(holdfast);
    }

    @Locked("x")
    List<String> callsItself() {
      return other();
    }

    @Locked("x")
    List<String> callsItsProxy() {
      return proxy.other();
    }

    @Locked("x")
    boolean locksByHand() throws InterruptedException {
      return holdfast.lock("x").tryAcquire().isPresent();
    }
  }

  private AnnotationConfigApplicationContext context;
  private Service service;

  @BeforeEach
  void start() {
    context = MemoryContext.start(Service.class);
    service = context.getBean(Service.class);
  }

  @AfterEach
  void stop() {
    context.close();
  }

  @Test
  void aCallWithinTheClassAcquiresNothing() {
    assertThat(service.callsItself()).containsExactly("x");
    assertThat(service.callsItsProxy()).containsExactlyInAnyOrder("other", "x");
  }

  @Test
  void theSameNameByHandIsNotJoined() throws Exception {
    assertThat(service.locksByHand()).isFalse();
  }
}
