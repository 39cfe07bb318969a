package io.holdfast.cli.commands.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A process that signals do not reach, as one of another user: it ends when it likes. */
final class UnkillableProcess implements ProcessHandle {

  private final CompletableFuture<ProcessHandle> end = new CompletableFuture<>();
  private final AtomicInteger kills = new AtomicInteger();
  private volatile Optional<Process> process = Optional.empty();

  /** A command that is real, and whose family has this one in it. */
  CommandProcess child(String mark, String script) {
    try {
      ProcessBuilder builder = new ProcessBuilder("sh", "-c", script);
      builder.environment().put(CommandProcessTree.VARIABLE, mark);
      Process started = builder.start();
      process = Optional.of(started);
      return new CommandProcess(
          started, new CommandProcessTree(this, mark), OrphanKiller.start(mark));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether that command has ended. */
  boolean hasChildEnded() {
    return process.filter(each -> !each.isAlive()).isPresent();
  }

  /** How often KILL was sent to it. */
  int kills() {
    return kills.get();
  }

  void end() {
    end.complete(this);
  }

  @Override
  public long pid() {
    return Integer.MAX_VALUE; // above all that the kernel gives
  }

  @Override
  public Optional<ProcessHandle> parent() {
    return Optional.empty();
  }

  @Override
  public Stream<ProcessHandle> children() {
    return Stream.empty();
  }

  @Override
  public Stream<ProcessHandle> descendants() {
    return Stream.empty();
  }

  @Override
  public Info info() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<ProcessHandle> onExit() {
    return end;
  }

  @Override
  public boolean supportsNormalTermination() {
    return false;
  }

  @Override
  public boolean destroy() {
    return false;
  }

  @Override
  public boolean destroyForcibly() {
    kills.incrementAndGet();
    return false;
  }

  @Override
  public boolean isAlive() {
    return !end.isDone();
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int compareTo(ProcessHandle other) {
    return Long.compare(pid(), other.pid());
  }
}
