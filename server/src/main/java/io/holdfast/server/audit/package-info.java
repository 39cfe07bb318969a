/**
 * What was done to locks through the service, by whom, with which token and why.
 *
 * <p>{@link io.holdfast.server.audit.VerbAudit} turns the replies to verbs into entries, {@link
 * io.holdfast.server.audit.AuditLog} keeps them in files of JSON lines, and {@link
 * io.holdfast.server.audit.AuditReader} reads them, the newest first.
 *
 * <p>The audit is complete only for clients of the service: what programs do at the store directly
 * is not in it.
 */
@NullMarked
package io.holdfast.server.audit;

import org.jspecify.annotations.NullMarked;
