package io.holdfast.spring.boot;

import io.holdfast.Health;
import io.holdfast.Holdfast;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.lang.Nullable;

/**
 * The locks of the application's namespace: lists them, shows one with its holders and waiters, and
 * asks a holder to release when write access is switched on. It never takes a lock away.
 */
@Endpoint(id = "holdfast", defaultAccess = Access.READ_ONLY)
public class HoldfastEndpoint {

  private static final int PAGE = 100;

  private final ListableBeanFactory beans;

  HoldfastEndpoint(ListableBeanFactory beans) {
    this.beans = beans;
  }

  /**
   * Returns the store, its health and a page of locks.
   *
   * @param client the bean name of the client; not needed when there is one
   * @param prefix the beginning of the names
   * @param after the last name of the previous page
   * @param limit the length of the page, 100 by default
   */
  @ReadOperation
  public Map<String, Object> list(
      @Nullable String client,
      @Nullable String prefix,
      @Nullable String after,
      @Nullable Integer limit) {
    Holdfast holdfast = client(client);
    Health health = holdfast.health();
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("clients", new TreeSet<>(clients().keySet()));
    all.put("store", holdfast.traits().store());
    all.put("namespace", holdfast.options().namespace());
    all.put("guarantees", new TreeSet<>(holdfast.guarantees()));
    all.put("status", health.status().name());
    all.put("detail", health.detail());
    all.put("warnings", health.warnings());
    all.put("held", health.held());
    all.put("waiting", health.waiting());
    if (holdfast.inspector().isPresent()) {
      int page = limit == null ? PAGE : limit;
      all.put("locks", ask(holdfast, inspector -> page(inspector, holdfast, prefix, after, page)));
    }
    return all;
  }

  private static List<Map<String, Object>> page(
      EngineInspector inspector,
      Holdfast holdfast,
      @Nullable String prefix,
      @Nullable String after,
      int limit)
      throws EngineException {
    if (limit < 1 || limit > EngineInspector.MAX_PAGE) {
      throw new InvalidEndpointRequestException(
          "limit must be 1.." + EngineInspector.MAX_PAGE + ": limit=" + limit, "bad limit");
    }
    return inspector
        .list(
            holdfast.options().namespace(),
            prefix == null ? "" : prefix,
            after == null ? "" : after,
            limit)
        .stream()
        .map(HoldfastEndpoint::view)
        .toList();
  }

  /**
   * Returns one lock; nothing when nobody holds it, waits for it or has marked it.
   *
   * @param name its name, which may have slashes
   */
  @ReadOperation
  public @Nullable Map<String, Object> show(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] name, @Nullable String client) {
    Holdfast holdfast = client(client);
    Optional<Map<String, Object>> found =
        ask(
            holdfast,
            inspector -> inspector.show(resource(holdfast, name)).map(HoldfastEndpoint::view));
    return found.orElse(null);
  }

  /**
   * Asks a holder to release: it is told at its next renewal, with the reason.
   *
   * @param token of the hold, as shown
   * @param reason not blank
   */
  @DeleteOperation
  public Map<String, Object> revoke(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] name,
      String token,
      String reason,
      @Nullable String client) {
    Holdfast holdfast = client(client);
    long number;
    try {
      number = Long.parseLong(token);
    } catch (NumberFormatException e) {
      throw new InvalidEndpointRequestException("token is not a number: " + token, "bad token", e);
    }
    if (reason.isBlank()) {
      throw new InvalidEndpointRequestException("reason must not be blank", "no reason");
    }
    return ask(
        holdfast,
        inspector ->
            Map.of("verdict", inspector.revoke(resource(holdfast, name), number, reason).name()));
  }

  private Map<String, Holdfast> clients() {
    return new TreeMap<>(beans.getBeansOfType(Holdfast.class));
  }

  private Holdfast client(@Nullable String name) {
    if (name == null) {
      Holdfast only = beans.getBeanProvider(Holdfast.class).getIfUnique();
      if (only == null) {
        throw new InvalidEndpointRequestException(
            "client must name one of " + clients().keySet() + ", of which none is primary",
            "no client");
      }
      return only;
    }
    Holdfast found = clients().get(name);
    if (found == null) {
      throw new InvalidEndpointRequestException(
          "there is no client " + name + "; there are " + clients().keySet(), "unknown client");
    }
    return found;
  }

  private static Resource resource(Holdfast holdfast, String[] name) {
    return new Resource(holdfast.options().namespace(), String.join("/", name));
  }

  @FunctionalInterface
  private interface Question<T> {
    T ask(EngineInspector inspector) throws EngineException;
  }

  private static <T> T ask(Holdfast holdfast, Question<T> question) {
    EngineInspector inspector =
        holdfast
            .inspector()
            .orElseThrow(
                () ->
                    new InvalidEndpointRequestException(
                        holdfast.traits().store() + " cannot be inspected", "no inspector"));
    try {
      return question.ask(inspector);
    } catch (EngineException e) {
      throw new IllegalStateException(
          holdfast.traits().store() + " was not inspected: " + e.getMessage(), e);
    }
  }

  /** Tokens are text: they have 63 bits, and numbers of JavaScript have 53. */
  private static Map<String, Object> view(EngineInspector.LineView line) {
    List<Map<String, Object>> tickets = new ArrayList<>();
    for (EngineInspector.TicketView ticket : line.tickets()) {
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("state", ticket.state().name());
      view.put("owner", ticket.owner().toString());
      view.put("token", Long.toString(ticket.token()));
      view.put("ageMillis", ticket.age().toMillis());
      view.put("leaseLeftMillis", ticket.leaseLeft().toMillis());
      tickets.add(view);
    }
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", line.resource().name());
    view.put("kind", line.shape().kind().name());
    view.put("tickets", tickets);
    line.marked().ifPresent(left -> view.put("markedForMillis", left.toMillis()));
    return view;
  }
}
