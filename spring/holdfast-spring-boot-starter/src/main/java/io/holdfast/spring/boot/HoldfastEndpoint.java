package io.holdfast.spring.boot;

import io.holdfast.Health;
import io.holdfast.Holdfast;
import io.holdfast.StoreUnavailableException;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Guarantee;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.lang.Nullable;

/**
 * The locks of the application's namespace: lists them, shows one with its holders and waiters, and
 * asks a holder to release when write access is switched on. It never takes a lock away.
 *
 * <p>A request that is not understood is a 400 with the reason. A store that does not reply has the
 * status DOWN, with the reason.
 */
@Endpoint(id = "holdfast", defaultAccess = Access.READ_ONLY)
public class HoldfastEndpoint {

  private static final int PAGE = 100;

  private final ListableBeanFactory beans;

  HoldfastEndpoint(ListableBeanFactory beans) {
    this.beans = beans;
  }

  /**
   * Returns the store, its health and a page of locks. The locks are left out while the store does
   * not reply.
   *
   * @param client the bean name of the client; not needed when there is one
   * @param prefix the beginning of the names
   * @param after the last name of the previous page
   * @param limit the length of the page, 100 by default
   */
  @ReadOperation
  public WebEndpointResponse<Map<String, Object>> list(
      @Nullable String client,
      @Nullable String prefix,
      @Nullable String after,
      @Nullable String limit) {
    try {
      Holdfast holdfast = client(client);
      String namespace = holdfast.options().namespace();
      int page = page(limit);
      String from = part("prefix", prefix, namespace);
      String behind = part("after", after, namespace);
      Health health = holdfast.health();
      boolean replies =
          health.status() == Health.Status.UP || health.status() == Health.Status.WARN;
      Map<String, Object> all = header(holdfast, health);
      if (holdfast.inspector().isPresent() && replies) {
        EngineInspector inspector = holdfast.inspector().get();
        try {
          all.put(
              "locks",
              inspector.list(namespace, from, behind, page).stream()
                  .map(HoldfastEndpoint::view)
                  .toList());
        } catch (EngineException e) {
          putFailure(all, e);
        }
      }
      return new WebEndpointResponse<>(all);
    } catch (BadRequest e) {
      return e.response();
    }
  }

  /**
   * Returns one lock; 404 when nobody holds it, waits for it or has marked it, and 503 while the
   * store does not reply.
   *
   * @param name its name, which may have slashes
   */
  @ReadOperation
  public WebEndpointResponse<Map<String, Object>> show(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] name, @Nullable String client) {
    return ask(
        client,
        name,
        (inspector, resource) -> inspector.show(resource).map(HoldfastEndpoint::view));
  }

  /**
   * Asks a holder to release: it is told at its next renewal, with the reason.
   *
   * @param token of the hold, as shown
   * @param reason not blank
   */
  @DeleteOperation
  public WebEndpointResponse<Map<String, Object>> revoke(
      @Selector(match = Selector.Match.ALL_REMAINING) String[] name,
      @Nullable String token,
      @Nullable String reason,
      @Nullable String client) {
    try {
      long number = token(token);
      if (reason == null || reason.isBlank()) {
        throw new BadRequest("reason must not be blank: the holder sees it");
      }
      return ask(
          client,
          name,
          (inspector, resource) ->
              Optional.of(Map.of("verdict", inspector.revoke(resource, number, reason).name())));
    } catch (BadRequest e) {
      return e.response();
    }
  }

  private static long token(@Nullable String token) throws BadRequest {
    if (token == null) {
      throw new BadRequest("token is missing: that of the hold, as it is shown");
    }
    try {
      return Long.parseLong(token);
    } catch (NumberFormatException e) {
      throw new BadRequest("token is not a number: " + token);
    }
  }

  private static int page(@Nullable String limit) throws BadRequest {
    try {
      int page = limit == null ? PAGE : Integer.parseInt(limit);
      if (page >= 1 && page <= EngineInspector.MAX_PAGE) {
        return page;
      }
    } catch (NumberFormatException e) {
      // Reported as a number that is out of bounds.
    }
    throw new BadRequest("limit must be 1.." + EngineInspector.MAX_PAGE + ": limit=" + limit);
  }

  /** Returns a part of a name, which has the rules of a name but may be empty. */
  private static String part(String parameter, @Nullable String given, String namespace)
      throws BadRequest {
    if (given == null || given.isEmpty()) {
      return "";
    }
    return resource(parameter + ": ", namespace, given).name();
  }

  private static Resource resource(String label, String namespace, String name) throws BadRequest {
    try {
      return new Resource(namespace, name);
    } catch (IllegalArgumentException e) {
      throw new BadRequest(label + e.getMessage());
    }
  }

  private Map<String, Object> header(Holdfast holdfast, Health health) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("clients", new TreeSet<>(clients().keySet()));
    all.put("store", holdfast.traits().store());
    all.put("namespace", holdfast.options().namespace());
    guarantees(holdfast).ifPresent(known -> all.put("guarantees", known));
    all.put("status", health.status().name());
    all.put("detail", health.detail());
    all.put("warnings", health.warnings());
    all.put("held", health.held());
    all.put("waiting", health.waiting());
    return all;
  }

  /** None as long as a lock service, which knows them, has not replied. */
  private static Optional<Set<Guarantee>> guarantees(Holdfast holdfast) {
    try {
      return Optional.of(new TreeSet<>(holdfast.guarantees()));
    } catch (StoreUnavailableException e) {
      return Optional.empty();
    }
  }

  /** A store that refuses has replied: such as for want of a right. */
  private static void putFailure(Map<String, Object> all, EngineException failure) {
    if (!(failure instanceof EngineException.Refused)) {
      all.put("status", Health.Status.DOWN.name());
    }
    all.put("detail", "the locks were not read: " + failure.getMessage());
  }

  private Map<String, Holdfast> clients() {
    return new TreeMap<>(beans.getBeansOfType(Holdfast.class));
  }

  private Holdfast client(@Nullable String name) throws BadRequest {
    if (name == null) {
      Holdfast only = beans.getBeanProvider(Holdfast.class).getIfUnique();
      if (only == null) {
        throw new BadRequest(
            "client must name one of " + clients().keySet() + ", of which none is primary");
      }
      return only;
    }
    Holdfast found = clients().get(name);
    if (found == null) {
      throw new BadRequest("there is no client " + name + "; there are " + clients().keySet());
    }
    return found;
  }

  @FunctionalInterface
  private interface Question {
    /** Returns nothing if there is no such lock. */
    Optional<Map<String, Object>> ask(EngineInspector inspector, Resource resource)
        throws EngineException;
  }

  private WebEndpointResponse<Map<String, Object>> ask(
      @Nullable String client, String[] name, Question question) {
    try {
      Holdfast holdfast = client(client);
      Resource resource = resource("", holdfast.options().namespace(), String.join("/", name));
      EngineInspector inspector = holdfast.inspector().orElse(null);
      if (inspector == null) {
        throw new BadRequest(holdfast.traits().store() + " cannot be inspected");
      }
      try {
        return question
            .ask(inspector, resource)
            .map(found -> new WebEndpointResponse<>(found))
            .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
      } catch (EngineException e) {
        Map<String, Object> failed = new LinkedHashMap<>();
        failed.put("store", holdfast.traits().store());
        failed.put("namespace", holdfast.options().namespace());
        putFailure(failed, e);
        return new WebEndpointResponse<>(failed, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
      }
    } catch (BadRequest e) {
      return e.response();
    }
  }

  /** A parameter that is wrong. Spring Boot's own exception would leave out the reason. */
  private static final class BadRequest extends Exception {

    private static final long serialVersionUID = 1L;

    BadRequest(String reason) {
      super(reason, null, false, false);
    }

    WebEndpointResponse<Map<String, Object>> response() {
      return new WebEndpointResponse<>(
          Map.of("error", String.valueOf(getMessage())), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
  }

  /** Tokens are text: they have 63 bits, and numbers of JavaScript have 53. */
  private static Map<String, Object> view(EngineInspector.LineView line) {
    List<Map<String, Object>> tickets = new ArrayList<>();
    for (EngineInspector.TicketView ticket : line.tickets()) {
      Map<String, Object> view = new LinkedHashMap<>();
      view.put("state", ticket.state().name());
      view.put("owner", ticket.owner().unquoted());
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
