package io.holdfast.cli.commands.run;

import io.holdfast.cli.CliProcess;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;

/** As cron does it: each line is a process of its own, from its start to its exit code. */
final class FreshMachines implements Machines {

  private final CliProcess.Setup setup;
  private final Deque<CliProcess> started = new ArrayDeque<>();

  FreshMachines(CliProcess.Setup setup) {
    this.setup = setup;
  }

  private record Line(CliProcess cli) implements Job {

    @Override
    public long pid() {
      return cli.pid();
    }

    @Override
    public void kill9() {
      cli.kill9();
    }

    @Override
    public int awaitCode() {
      return cli.awaitExit();
    }

    @Override
    public String words() {
      return cli.toString();
    }
  }

  @Override
  public int lifeMillis() {
    return 3_000;
  }

  @Override
  public List<Job> tick(String... line) {
    close();
    return IntStream.range(0, COUNT).mapToObj(i -> start(line)).toList();
  }

  private Job start(String... line) {
    CliProcess cli = setup.start(line);
    started.push(cli);
    return new Line(cli);
  }

  @Override
  public void close() {
    while (!started.isEmpty()) {
      started.pop().close();
    }
  }
}
