package io.holdfast.server.http;

import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads the body of a request into memory, up to a limit.
 *
 * <p>What exceeds the limit is read and dropped, because most clients read the reply after they
 * have sent everything, and because the next request of the connection must begin where this one
 * ends. Bodies that are far too long are left unread; the connection closes after the reply.
 */
final class RequestBody {

  /** What becomes of a body. */
  interface Reader {

    /** It was read; it has at most as many bytes as allowed. */
    void complete(byte[] body);

    /** It is too long. */
    void tooLong();
  }

  private static final int LONGEST_DROPPED = 1 << 24;

  private final Request request;
  private final int longest;
  private final Reader reader;
  private final Consumer<Throwable> failed;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final Invocable.Task more =
      Invocable.from(Invocable.InvocationType.NON_BLOCKING, this::readMore);
  private long length;

  private RequestBody(Request request, int longest, Reader reader, Consumer<Throwable> failed) {
    this.request = request;
    this.longest = longest;
    this.reader = reader;
    this.failed = failed;
  }

  /**
   * Reads, and calls one of the methods of the reader once, perhaps later and from another thread.
   *
   * @param longest in bytes
   * @param failed is called instead if the connection fails
   */
  static void read(Request request, int longest, Reader reader, Consumer<Throwable> failed) {
    if (request.getLength() > LONGEST_DROPPED) {
      reader.tooLong();
    } else {
      new RequestBody(request, longest, reader, failed).readMore();
    }
  }

  private void readMore() {
    while (true) {
      Content.Chunk chunk = request.read();
      if (chunk == null) {
        request.demand(more);
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        failed.accept(chunk.getFailure());
        return;
      }
      keep(chunk);
      boolean isLast = chunk.isLast();
      chunk.release();
      if (length > LONGEST_DROPPED) {
        reader.tooLong();
        return;
      }
      if (isLast) {
        end();
        return;
      }
    }
  }

  private void keep(Content.Chunk chunk) {
    length += chunk.remaining();
    if (length <= longest) {
      kept.writeBytes(BufferUtil.toArray(chunk.getByteBuffer()));
    }
  }

  private void end() {
    if (length > longest) {
      reader.tooLong();
    } else {
      reader.complete(kept.toByteArray());
    }
  }
}
