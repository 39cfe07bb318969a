package io.holdfast.cli.commands.run;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses an exit code: 0 to 255, as the system keeps only eight bits. */
final class ExitCodeConverter implements ITypeConverter<Integer> {

  @Override
  public Integer convert(String value) {
    if (!value.matches("\\d{1,3}") || Integer.parseInt(value) > 255) {
      throw new TypeConversionException("'" + value + "' is not an exit code: 0 to 255");
    }
    return Integer.valueOf(value);
  }
}
