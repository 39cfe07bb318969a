package io.holdfast.server.verbs;

import io.holdfast.server.audit.VerbAudit;
import io.holdfast.server.security.AccessCheck;
import io.holdfast.server.security.Principal;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.EngineInspector;
import io.holdfast.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The store's inspector for one client: it lists what the client may see, and is audited. */
public final class CallerInspector implements EngineInspector {

  private final EngineInspector inspector;
  private final Principal principal;
  private final Optional<VerbAudit> audit;
  private final Predicate<Resource> visible;

  public CallerInspector(
      EngineInspector inspector, Principal principal, Optional<VerbAudit> audit) {
    this.inspector = inspector;
    this.principal = principal;
    this.audit = audit;
    this.visible = AccessCheck.visible(principal);
  }

  /** Pages of the store are read until the page is full: a short page means the end. */
  @Override
  public List<LineView> list(String namespace, String prefix, String after, int limit)
      throws EngineException {
    List<LineView> seen = new ArrayList<>();
    List<LineView> page = inspector.list(namespace, prefix, after, limit);
    while (true) {
      for (LineView line : page) {
        if (visible.test(line.resource()) && seen.size() < limit) {
          seen.add(line);
        }
      }
      if (page.size() < limit || seen.size() >= limit) {
        return seen;
      }
      String last = page.get(page.size() - 1).resource().name();
      page = inspector.list(namespace, prefix, last, limit);
    }
  }

  @Override
  public Optional<LineView> show(Resource resource) throws EngineException {
    return inspector.show(resource);
  }

  @Override
  public Verdict revoke(Resource resource, long token, String reason) throws EngineException {
    Verdict verdict = inspector.revoke(resource, token, reason);
    audit.ifPresent(each -> each.revoked(principal, resource, token, reason, verdict));
    return verdict;
  }

  @Override
  public Verdict evict(Resource resource, long token, String reason) throws EngineException {
    Verdict verdict = inspector.evict(resource, token, reason);
    audit.ifPresent(each -> each.evicted(principal, resource, token, reason, verdict));
    return verdict;
  }
}
