/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.evenkey.layout.failure.EvenkeyFailure;
import io.evenkey.layout.failure.FailureCode;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The page of the codes of Evenkey's own failures, made of the exceptions that have them. */
public final class CodePage {
  private static final String HEAD =
      """
      # Failure codes

      This page lists the exceptions that Evenkey throws itself, by their codes. It is made from the code; a test fails
      when it is stale. [Errors](errors.md) lists what HBase throws.

      Each is an [`EvenkeyFailure`](api.md#failures) with `code()`, `table()` and `isRetriable()`. Subclasses that have no
      row here have the code of the class that they extend.

      | code | exception | extends | retriable | what happened |
      | --- | --- | --- | --- | --- |
      """;

  private CodePage() {}

  /** The text of the page. */
  public static String text() {
    Map<FailureCode, JavaClass> exceptions = exceptions();
    return HEAD
        + Stream.of(FailureCode.values())
            .map(code -> row(code, exceptions.get(code)))
            .collect(Collectors.joining());
  }

  private static String row(FailureCode code, JavaClass exception) {
    return "| `%s` | `%s` | `%s` | %s | %s |\n"
        .formatted(
            code.word(),
            exception.getSimpleName(),
            known(exception).getSimpleName(),
            code.isRetriable() ? "yes" : "no",
            code.meaning());
  }

  // What code that knows HBase and Java handles it as.
  private static JavaClass known(JavaClass exception) {
    JavaClass type = exception.getRawSuperclass().orElseThrow();
    return type.getPackageName().startsWith("io.evenkey") ? known(type) : type;
  }

  private static Map<FailureCode, JavaClass> exceptions() {
    Map<FailureCode, JavaClass> found = new EnumMap<>(FailureCode.class);
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.evenkey")) {
      if (type.isAssignableTo(EvenkeyFailure.class) && type.isAssignableTo(Throwable.class)) {
        for (JavaFieldAccess access : type.getFieldAccessesFromSelf()) {
          if (access.getTargetOwner().isEquivalentTo(FailureCode.class)) {
            JavaClass other = found.put(FailureCode.valueOf(access.getName()), type);
            assertThat(other).as("the other exception with a code of %s", type).isIn(null, type);
          }
        }
      }
    }
    assertThat(found).as("exceptions of the codes").containsOnlyKeys(FailureCode.values());
    return found;
  }
}
