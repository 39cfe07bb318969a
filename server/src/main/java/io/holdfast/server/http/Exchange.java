package io.holdfast.server.http;

import io.holdfast.server.security.Caller;
import io.holdfast.server.verbs.RejectedException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * One request and its reply, which any thread may send, once.
 *
 * @param longestBody in bytes
 * @param epoch when its connection began, see {@link io.holdfast.server.verbs.Pauses}
 */
record Exchange(
    Request request,
    Response response,
    Callback callback,
    Caller caller,
    int longestBody,
    long epoch,
    AtomicBoolean isReplied) {

  private static final String JSON = "application/json";

  /** Returns the same request of a client that is known now. */
  Exchange from(Caller known) {
    return new Exchange(request, response, callback, known, longestBody, epoch, isReplied);
  }

  /** A handler of a body. */
  interface BodyHandler {
    void handle(JsonObject body) throws ProblemException, RejectedException;
  }

  /** Reads the body and parses it. */
  void withBody(BodyHandler handler) {
    String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith(JSON)) {
      fail(Problem.wrongType(JSON));
      return;
    }
    RequestBody.read(
        request,
        longestBody,
        new RequestBody.Reader() {
          @Override
          public void complete(byte[] body) {
            guarded(() -> handler.handle(JsonText.parse(body)));
          }

          @Override
          public void tooLong() {
            fail(Problem.tooLarge(longestBody));
          }
        },
        callback::failed);
  }

  /** What may end with a problem. */
  interface Step {
    void run() throws ProblemException, RejectedException;
  }

  void guarded(Step step) {
    try {
      step.run();
    } catch (ProblemException e) {
      fail(e.problem());
    } catch (RejectedException e) {
      fail(Problem.of(e.refusal()));
    } catch (RuntimeException e) {
      System.getLogger("io.holdfast.server").log(System.Logger.Level.ERROR, "a request failed", e);
      fail(Problem.internal());
    }
  }

  void fail(Problem problem) {
    problem
        .retryAfter()
        .ifPresent(seconds -> response.getHeaders().put(HttpHeader.RETRY_AFTER, seconds));
    problem
        .authenticate()
        .ifPresent(how -> response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, how));
    reply(problem.status(), Problem.MEDIA_TYPE, problem.toJson(), sent -> {});
  }

  void reply(int status, Object json) {
    reply(status, json, sent -> {});
  }

  /**
   * Replies.
   *
   * @param onEnd receives whether the reply was written
   */
  void reply(int status, Object json, Consumer<Boolean> onEnd) {
    reply(status, JSON, json, onEnd);
  }

  private void reply(int status, String type, Object json, Consumer<Boolean> onEnd) {
    if (!isReplied.compareAndSet(false, true)) {
      return;
    }
    byte[] body = JsonText.write(json);
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    Callback ended =
        Callback.from(
            () -> {
              onEnd.accept(true);
              callback.succeeded();
            },
            failure -> {
              onEnd.accept(false);
              callback.failed(failure);
            });
    response.write(true, ByteBuffer.wrap(body), ended);
  }
}
