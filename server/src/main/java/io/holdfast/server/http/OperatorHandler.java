package io.holdfast.server.http;

import io.holdfast.server.audit.AuditEntry;
import io.holdfast.server.audit.AuditJson;
import io.holdfast.server.audit.AuditPage;
import io.holdfast.server.audit.AuditQuery;
import io.holdfast.server.audit.AuditReader;
import io.holdfast.server.security.AccessCheck;
import io.holdfast.server.security.Call;
import io.holdfast.server.security.Permit;
import io.holdfast.server.security.Principal;
import io.holdfast.server.security.Right;
import io.holdfast.server.verbs.Gate;
import io.holdfast.server.verbs.RejectedException;
import io.holdfast.spi.Resource;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** What operators ask of a server: its audit and its condition. */
final class OperatorHandler {

  private static final int DEFAULT_PAGE = 100;

  private final Gate gate;
  private final Optional<AuditReader> audit;
  private final Supplier<Map<String, Object>> condition;
  private final Executor executor;

  /**
   * Creates it.
   *
   * @param condition of the store and this server, as JSON
   * @param executor runs what waits for the disk
   */
  OperatorHandler(
      Gate gate,
      Optional<AuditReader> audit,
      Supplier<Map<String, Object>> condition,
      Executor executor) {
    this.gate = gate;
    this.audit = audit;
    this.condition = condition;
    this.executor = executor;
  }

  /** {@code GET /v1/store}. */
  void store(Exchange exchange) throws RejectedException {
    gate.checkCall(exchange.caller(), Call.STORE);
    exchange.reply(200, condition.get());
  }

  /** {@code GET /v1/audit}: a page, the newest entry first. */
  void audit(Exchange exchange) throws ProblemException, RejectedException {
    Principal principal = gate.checkCall(exchange.caller(), Call.AUDIT);
    if (audit.isEmpty()) {
      throw new ProblemException(
          Problem.notFound("/v1/audit is that of a server with an audit file (--audit FILE)"));
    }
    AuditQuery query = query(exchange.request(), visible(principal));
    Permit room = gate.room(exchange.caller(), principal, Call.AUDIT, Optional.empty());
    try {
      executor.execute(
          () -> {
            try (room) {
              exchange.guarded(() -> exchange.reply(200, page(audit.get(), query)));
            }
          });
    } catch (RejectedExecutionException e) {
      room.close();
      throw new ProblemException(Problem.overloaded("this server has too much to do"));
    }
  }

  /** What concerns no lock is for those who may see every one. */
  private static Predicate<AuditEntry> visible(Principal principal) {
    Predicate<Resource> locks = AccessCheck.visible(principal);
    boolean all = principal.mayEverywhere(Right.LOOK);
    return entry -> entry.lock().map(locks::test).orElse(all);
  }

  private static AuditQuery query(Request request, Predicate<AuditEntry> visible)
      throws ProblemException {
    try {
      Fields given = Request.extractQueryParameters(request);
      Optional<String> what = text(given, "what");
      Optional<AuditEntry.What> word = what.flatMap(AuditEntry.What::of);
      if (what.isPresent() && word.isEmpty()) {
        throw new ProblemException(Problem.malformed("what must be a word of the audit"));
      }
      return new AuditQuery(
          text(given, "before").map(Long::valueOf),
          text(given, "limit").map(Integer::valueOf).orElse(DEFAULT_PAGE),
          word,
          text(given, "who"),
          text(given, "namespace"),
          text(given, "prefix").orElse(""),
          text(given, "since").map(Instant::parse),
          visible);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new ProblemException(
          Problem.malformed(
              "before must be a number, limit 1.."
                  + AuditQuery.MAX_LIMIT
                  + ", and since a time such as 2027-01-15T08:00:00Z"));
    }
  }

  private static Optional<String> text(Fields given, String name) {
    return Optional.ofNullable(given.getValue(name));
  }

  private static Map<String, Object> page(AuditReader reader, AuditQuery query)
      throws ProblemException {
    try {
      AuditPage page = reader.page(query);
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("entries", page.entries().stream().map(AuditJson::fields).toList());
      page.next().ifPresent(next -> json.put("next", Long.toString(next)));
      json.put("unreadable", page.unreadable());
      return json;
    } catch (IOException e) {
      throw new ProblemException(Problem.notDone("the audit cannot be read: " + e));
    }
  }
}
