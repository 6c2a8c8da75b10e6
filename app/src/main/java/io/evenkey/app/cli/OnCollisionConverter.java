package io.evenkey.app.cli;

import io.evenkey.jobs.load.OnCollision;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a policy as people write it. */
final class OnCollisionConverter implements ITypeConverter<OnCollision> {
  @Override
  public OnCollision convert(String text) {
    return Arrays.stream(OnCollision.values())
        .filter(policy -> policy.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'"
                        + text
                        + "' is none of "
                        + Arrays.stream(OnCollision.values())
                            .map(OnCollision::toString)
                            .collect(Collectors.joining(", "))));
  }
}
