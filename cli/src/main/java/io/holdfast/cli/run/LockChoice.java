package io.holdfast.cli.run;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.spi.Order;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Which kind of lock it is to be: one of these, or a mutex. */
final class LockChoice {

  @Option(
      names = "--shared",
      required = true,
      description = "With others that say so, but not with those that say --exclusive.")
  private boolean shared;

  @Option(
      names = "--exclusive",
      required = true,
      description = "The other side of --shared: with nobody.")
  private boolean exclusive;

  @Option(
      names = "--permits",
      required = true,
      paramLabel = "K/N",
      converter = Permits.Form.class,
      description = "K of N permits. All who use the name must say the same N.")
  private @Nullable Permits permits;

  @Option(
      names = "--fifo",
      required = true,
      description = "A mutex in strict order of arrival. The others always are.")
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
