package io.holdfast.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Requests as a program without Holdfast sends them. */
final class HttpCalls {

  private final HttpClient client;
  private final LockServer server;
  private final Optional<String> token;

  HttpCalls(LockServer server) {
    this(server, HttpClient.newHttpClient(), Optional.empty());
  }

  HttpCalls(LockServer server, String token) {
    this(server, HttpClient.newHttpClient(), Optional.of(token));
  }

  HttpCalls(LockServer server, HttpClient client, Optional<String> token) {
    this.client = client;
    this.server = server;
    this.token = token;
  }

  /** A reply; {@link #text} finds a field at any depth. */
  record Reply(int status, String type, String retryAfter, String authenticate, String body) {

    String text(String field) {
      try (JsonParser parser = new JsonFactory().createParser(body)) {
        while (parser.nextToken() != null) {
          if (parser.currentToken() == JsonToken.FIELD_NAME && field.equals(parser.currentName())) {
            parser.nextToken();
            return parser.getText();
          }
        }
        return null;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    long number(String field) {
      return Long.parseLong(text(field));
    }
  }

  Reply post(String path, String body) throws Exception {
    return postAsync(path, body).get();
  }

  Reply get(String path) throws Exception {
    return send(request(path).GET().build()).get();
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server.address() + path));
    token.ifPresent(each -> request.header("Authorization", "Bearer " + each));
    return request;
  }

  CompletableFuture<Reply> postAsync(String path, String body) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  CompletableFuture<Reply> send(HttpRequest request) {
    return client.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpCalls::reply);
  }

  private static Reply reply(HttpResponse<String> response) {
    return new Reply(
        response.statusCode(),
        response.headers().firstValue("Content-Type").orElse(""),
        response.headers().firstValue("Retry-After").orElse(""),
        response.headers().firstValue("WWW-Authenticate").orElse(""),
        response.body());
  }

  Reply acquire(String name, String body) throws Exception {
    return post("/v1/locks/" + name + "/acquire", body);
  }

  Reply release(String ticket) throws Exception {
    return post("/v1/tickets/release", "{\"tickets\":[\"" + ticket + "\"]}");
  }

  Reply renew(String... tickets) throws Exception {
    return post("/v1/tickets/renew", "{\"tickets\":[\"" + String.join("\",\"", tickets) + "\"]}");
  }
}
