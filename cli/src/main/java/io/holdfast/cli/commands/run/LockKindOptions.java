package io.holdfast.cli.commands.run;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.spi.Order;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options for the kind of lock; a mutex by default. */
final class LockKindOptions {

  @Option(
      names = "--shared",
      required = true,
      description = "A read lock: shared with others, but not with --exclusive.")
  private boolean shared;

  @Option(
      names = "--exclusive",
      required = true,
      description = "The write lock of --shared: excludes all others.")
  private boolean exclusive;

  @Option(
      names = "--permits",
      required = true,
      paramLabel = "K/N",
      converter = Permits.Form.class,
      description = "K of N permits of a semaphore. All users must state the same N.")
  private @Nullable Permits permits;

  @Option(
      names = "--fifo",
      required = true,
      description = "A mutex in order of arrival. Other kinds always are.")
  private boolean fifo;

  /** The lock of that name. */
  DistributedLock lock(Holdfast holdfast, String name) {
    if (shared) {
      return holdfast.readWriteLock(name).readLock();
    }
    if (exclusive) {
      return holdfast.readWriteLock(name).writeLock();
    }
    if (permits != null) {
      return holdfast.semaphore(name, permits.all()).permits(permits.wanted());
    }
    return (fifo ? holdfast.with(o -> o.withOrder(Order.FIFO)) : holdfast).lock(name);
  }

  /**
   * Permits of a semaphore.
   *
   * @param wanted how many are wanted
   * @param all how many there are
   */
  record Permits(int wanted, int all) {

    /** {@code 2/5}; a number alone is one of so many. */
    static final class Form implements ITypeConverter<Permits> {

      @Override
      public Permits convert(String value) {
        if (!value.matches("\\d{1,6}(/\\d{1,6})?")) {
          throw new TypeConversionException("'" + value + "' is not K/N, such as 1/3");
        }
        int slash = value.indexOf('/');
        int wanted = slash < 0 ? 1 : Integer.parseInt(value.substring(0, slash));
        int all = Integer.parseInt(value.substring(slash + 1));
        if (wanted < 1 || wanted > all) {
          throw new TypeConversionException("'" + value + "': K must be 1 to N");
        }
        return new Permits(wanted, all);
      }
    }
  }
}
