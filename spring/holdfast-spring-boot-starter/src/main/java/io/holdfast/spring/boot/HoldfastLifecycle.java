package io.holdfast.spring.boot;

import io.holdfast.Holdfast;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Ends the clients when the context is closed: after web requests and jobs have ended, which may
 * hold locks, and before the stores of the application are closed. First nothing new is acquired
 * and holds may end; then what is left is released.
 *
 * <p>A context that is only stopped, or paused between tests, keeps its clients: they could not be
 * started again.
 */
final class HoldfastLifecycle implements SmartLifecycle, ApplicationListener<ContextClosedEvent> {

  /** Below executors and schedulers, above connections; what is higher stops earlier. */
  static final int PHASE = Integer.MAX_VALUE / 4;

  private final ApplicationContext context;
  private final ListableBeanFactory beans;
  private final HoldfastProperties.Shutdown settings;
  private volatile boolean running;
  private volatile boolean closing;

  HoldfastLifecycle(
      ApplicationContext context, ListableBeanFactory beans, HoldfastProperties.Shutdown settings) {
    this.context = context;
    this.beans = beans;
    this.settings = settings;
  }

  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    if (event.getApplicationContext() == context) {
      closing = true;
    }
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    if (closing) {
      List<Holdfast> clients =
          List.copyOf(beans.getBeansOfType(Holdfast.class, false, false).values());
      long end = System.nanoTime() + settings.drain().toNanos();
      for (Holdfast client : clients) {
        client.drain(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
      }
      clients.forEach(client -> client.close(settings.grace()));
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
