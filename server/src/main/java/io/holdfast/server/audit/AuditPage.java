package io.holdfast.server.audit;

import java.util.List;
import java.util.Optional;

/**
 * A page of the audit, the newest entry first.
 *
 * @param entries may be fewer than asked for, even none, though there are more: a page looks
 *     through a bounded part of the files
 * @param next the {@link AuditQuery#before} of the next page; empty at the end of the audit
 * @param unreadable lines that are no entries, in what was looked through
 */
public record AuditPage(List<AuditEntry> entries, Optional<Long> next, int unreadable) {

  public AuditPage {
    entries = List.copyOf(entries);
  }
}
