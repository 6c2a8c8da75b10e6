/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.load.DuplicateKeyPolicy;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a policy from the command line. */
final class DuplicateKeyPolicyConverter implements ITypeConverter<DuplicateKeyPolicy> {
  @Override
  public DuplicateKeyPolicy convert(String text) {
    return Arrays.stream(DuplicateKeyPolicy.values())
        .filter(policy -> policy.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'"
                        + text
                        + "' is none of "
                        + Arrays.stream(DuplicateKeyPolicy.values())
                            .map(DuplicateKeyPolicy::toString)
                            .collect(Collectors.joining(", "))));
  }
}
