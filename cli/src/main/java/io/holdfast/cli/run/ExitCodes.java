package io.holdfast.cli.run;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers that a process can end with: of a larger one the system keeps the last eight bits. */
final class ExitCodes implements ITypeConverter<Integer> {

  @Override
  public Integer convert(String value) {
    if (!value.matches("\\d{1,3}") || Integer.parseInt(value) > 255) {
      throw new TypeConversionException("'" + value + "' is not an exit code: 0 to 255");
    }
    return Integer.valueOf(value);
  }
}
