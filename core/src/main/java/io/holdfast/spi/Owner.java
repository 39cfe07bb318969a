package io.holdfast.spi;

/**
 * The owner of a ticket, for display only: never compared and never proof of anything.
 *
 * @param app the application's name, may be empty
 * @param host the machine
 * @param pid the process
 * @param thread the requesting thread
 * @param text free text of the user, may be empty
 */
public record Owner(String app, String host, long pid, String thread, String text) {

  /**
   * Returns one line that says who holds a lock: quoted and escaped, for a log or a terminal.
   * {@link #unquoted()} is the same text for a format that has its own quotes.
   */
  @Override
  public String toString() {
    return Text.quote(unquoted());
  }

  /** Returns the text of {@link #toString()} as it is: it may contain any character. */
  public String unquoted() {
    StringBuilder out = new StringBuilder();
    if (!app.isEmpty()) {
      out.append(app).append(' ');
    }
    out.append("pid ").append(pid).append(" on ").append(host);
    out.append(", thread ").append(thread);
    if (!text.isEmpty()) {
      out.append(" (").append(text).append(')');
    }
    return out.toString();
  }
}
