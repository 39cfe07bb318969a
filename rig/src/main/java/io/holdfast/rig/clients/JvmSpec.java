package io.holdfast.rig.clients;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How to start a client JVM. Immutable; the {@code with…} methods return a changed copy.
 *
 * @param name of the process, in histories and messages
 * @param main a class with a {@code main} method, on the class path of this JVM
 * @param heapMegabytes the largest heap
 * @param jvmOptions more of the JVM's own, such as {@code -Dkey=value}
 * @param environment variables in addition to the inherited ones
 * @param prefix a command that becomes the JVM, such as {@code nsenter}; usually empty
 */
public record JvmSpec(
    String name,
    Class<?> main,
    List<String> arguments,
    int heapMegabytes,
    List<String> jvmOptions,
    Map<String, String> environment,
    List<String> prefix) {
  private static final int DEFAULT_HEAP = 96;
  private static final int SMALLEST_HEAP = 16;

  /** Copies the lists and refuses a heap that no JVM starts with. */
  public JvmSpec {
    arguments = List.copyOf(arguments);
    jvmOptions = List.copyOf(jvmOptions);
    environment = Map.copyOf(environment);
    prefix = List.copyOf(prefix);
    if (heapMegabytes < SMALLEST_HEAP) {
      throw new IllegalArgumentException(
          "must be >= " + SMALLEST_HEAP + ": heapMegabytes=" + heapMegabytes);
    }
  }

  /** A JVM with a heap of 96 MB. */
  public static JvmSpec of(String name, Class<?> main, String... arguments) {
    return new JvmSpec(
        name, main, List.of(arguments), DEFAULT_HEAP, List.of(), Map.of(), List.of());
  }

  /** With another heap. */
  public JvmSpec withHeapMegabytes(int megabytes) {
    return new JvmSpec(name, main, arguments, megabytes, jvmOptions, environment, prefix);
  }

  /** With these options instead of the ones before. */
  public JvmSpec withJvmOptions(String... options) {
    return new JvmSpec(name, main, arguments, heapMegabytes, List.of(options), environment, prefix);
  }

  /** With these variables instead of the ones before. */
  public JvmSpec withEnvironment(Map<String, String> variables) {
    return new JvmSpec(name, main, arguments, heapMegabytes, jvmOptions, variables, prefix);
  }

  /**
   * Started by this command, which must become the JVM (by exec): its process id is the JVM's. For
   * {@code nsenter}, for instance.
   */
  public JvmSpec withPrefix(String... command) {
    return new JvmSpec(
        name, main, arguments, heapMegabytes, jvmOptions, environment, List.of(command));
  }

  /** The command line. */
  List<String> command(String temporaryFolder) {
    List<String> command = new ArrayList<>(prefix);
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("-Xmx" + heapMegabytes + "m");
    // Small and quick to start: many of them share a machine with the servers.
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    // Otherwise a killed JVM leaves a file behind.
    command.add("-XX:-UsePerfData");
    command.add("-XX:ErrorFile=" + temporaryFolder + "/jvm-error.log");
    command.add("-Djava.io.tmpdir=" + temporaryFolder);
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    return command;
  }
}
