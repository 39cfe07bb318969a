package io.holdfast.cli.commands.run;

import io.holdfast.cli.CliProcess;
import io.holdfast.rig.time.Await;
import java.util.ArrayList;
import java.util.List;

/**
 * Five processes that live on: in each period they run the whole command again, from its arguments
 * over a connection of its own to its code, but the JVM has been started already. A machine that
 * was killed comes back at the next tick.
 */
final class KeptMachines implements Machines {

  private final CliProcess.Setup setup;
  private final List<Machine> machines = new ArrayList<>();

  KeptMachines(CliProcess.Setup setup) {
    this.setup = setup;
  }

  /** A process, and how many lines it has been given. */
  private static final class Machine {
    private final CliProcess cli;
    private int lines;

    Machine(CliProcess cli) {
      this.cli = cli;
    }

    Job run(String... line) {
      cli.type(String.join(KeptMachine.SEPARATOR, line));
      lines++;
      return new Line(cli, lines);
    }
  }

  /** What a machine was given as its nth line. */
  private record Line(CliProcess cli, int number) implements Job {

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
      Await.until(
          "code " + number + " of " + cli,
          CliProcess.LONG,
          () -> codes().size() >= number || !cli.isRunning());
      return codes().size() >= number ? Integer.parseInt(codes().get(number - 1)) : cli.awaitExit();
    }

    /** Those whose line has been written to its end. */
    private List<String> codes() {
      String out = cli.out();
      return out.substring(0, out.lastIndexOf('\n') + 1).lines().toList();
    }

    @Override
    public String words() {
      return cli.toString();
    }
  }

  @Override
  public int lifeMillis() {
    return 300;
  }

  @Override
  public List<Job> tick(String... line) throws Exception {
    machines.removeIf(machine -> !machine.cli.isRunning());
    while (machines.size() < COUNT) {
      machines.add(new Machine(setup.startMain(KeptMachine.class)));
    }
    for (Machine machine : machines) {
      machine.cli.awaitWhileRunning("its start", () -> machine.cli.err().contains("ready"));
    }
    return machines.stream().map(machine -> machine.run(line)).toList();
  }

  @Override
  public void close() {
    machines.forEach(machine -> machine.cli.close());
  }
}
