package io.holdfast.server.http;

import io.holdfast.server.security.Refusal;
import io.holdfast.spi.EngineException;
import io.holdfast.spi.Resource;
import io.holdfast.spi.Standing;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An error as a problem document (RFC 9457).
 *
 * @param kind the end of the document's type, {@code urn:holdfast:problem:…}
 * @param title what happened, the same for each kind
 * @param detail what happened, to which name, and what to do
 * @param retryAfter in how many seconds to send the request again
 * @param authenticate how to authenticate, for the header of that name
 * @param more fields of the document that only this kind has
 */
record Problem(
    int status,
    String kind,
    String title,
    String detail,
    Optional<Integer> retryAfter,
    Optional<String> authenticate,
    Map<String, Object> more) {

  static final String MEDIA_TYPE = "application/problem+json";

  private static Problem of(int status, String kind, String title, String detail) {
    return new Problem(status, kind, title, detail, Optional.empty(), Optional.empty(), Map.of());
  }

  private Problem again(int seconds) {
    return new Problem(status, kind, title, detail, Optional.of(seconds), authenticate, more);
  }

  /** Returns a copy with one more field. */
  Problem with(String field, Object value) {
    Map<String, Object> all = new LinkedHashMap<>(more);
    all.put(field, value);
    return new Problem(status, kind, title, detail, retryAfter, authenticate, all);
  }

  static Problem busy(Resource resource, Optional<Standing.Holder> holder) {
    Problem busy =
        of(423, "busy", "The lock is held", resource + " is held; try again, or state a wait")
            .again(1);
    return holder.map(each -> busy.with("holder", JsonVerbs.holder(each))).orElse(busy);
  }

  static Problem malformed(String detail) {
    return of(400, "malformed", "The request is malformed", detail);
  }

  static Problem denied(String detail) {
    return of(403, "denied", "The client has no right to do this", detail);
  }

  static Problem notFound(String path) {
    return of(404, "not-found", "There is nothing here", path + ": see /v1 in docs/server.md");
  }

  static Problem wrongMethod(String allowed) {
    return of(405, "method", "The method is not allowed", "use " + allowed);
  }

  static Problem tooLarge(int most) {
    return of(413, "too-large", "The request is too large", "send at most " + most + " bytes");
  }

  static Problem wrongType(String expected) {
    return of(415, "media-type", "The media type is not supported", "send " + expected);
  }

  static Problem refused(String detail) {
    return of(409, "refused", "The store refuses this", detail);
  }

  /** As every refusal for want of room, it says to try again after a second. */
  static Problem overloaded(String detail) {
    return of(429, "overloaded", "There is no room for this now", detail).again(1);
  }

  static Problem notDone(String detail) {
    return of(503, "not-done", "The request was not executed", detail + "; repeat the request")
        .again(1);
  }

  static Problem stopping() {
    return of(503, "stopping", "The server is stopping", "send the request to another server")
        .again(1);
  }

  static Problem internal() {
    return of(
        500, "internal", "The server failed", "the request may have been executed: repeat it");
  }

  static Problem of(Refusal refusal) {
    String detail = refusal.detail();
    return switch (refusal.status()) {
      case 400 -> malformed(detail);
      case 401 ->
          new Problem(
              401,
              "unauthenticated",
              "The client is not known",
              detail,
              Optional.empty(),
              refusal.authenticate(),
              Map.of());
      case 403 -> denied(detail);
      case 409 -> refused(detail);
      case 429 -> overloaded(detail);
      default -> throw new IllegalArgumentException("no refusal has this status: " + refusal);
    };
  }

  static Problem of(EngineException failure) {
    String detail = String.valueOf(failure.getMessage());
    if (failure instanceof EngineException.Refused) {
      return refused(detail);
    } else if (failure instanceof EngineException.NotDone) {
      return notDone(detail);
    }
    return of(
        504,
        "unknown",
        "It is not known whether the request was executed",
        detail + "; repeat the same request");
  }

  String type() {
    return "urn:holdfast:problem:" + kind;
  }

  Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("type", type());
    json.put("title", title);
    json.put("status", status);
    json.put("detail", detail);
    json.putAll(more);
    return json;
  }
}
