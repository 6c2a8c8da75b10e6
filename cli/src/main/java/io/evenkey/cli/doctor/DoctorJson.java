/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The checks of a cluster as JSON. Immutable.
 *
 * @param healthy whether no check has found a problem
 */
public record DoctorJson(boolean healthy, List<DoctorCheck> checks) {
  /** Copies the list. */
  public DoctorJson {
    checks = List.copyOf(checks);
  }

  /**
   * One check.
   *
   * @param state {@code ok}, {@code advice}, {@code problem} or {@code skipped}
   * @param skipped why it was not made; null if it was
   */
  public record DoctorCheck(
      String check, String state, @Nullable String skipped, List<DoctorFinding> findings) {
    /** Copies the list. */
    public DoctorCheck {
      findings = List.copyOf(findings);
    }

    private static DoctorCheck of(CheckResult result) {
      return new DoctorCheck(
          result.check(),
          result.state(),
          result.skipped().isEmpty() ? null : result.skipped(),
          result.findings().stream().map(DoctorFinding::of).toList());
    }
  }

  /**
   * One finding.
   *
   * @param severity {@code problem} or {@code advice}
   */
  public record DoctorFinding(String severity, String text, String remedy) {
    private static DoctorFinding of(CheckFinding finding) {
      return new DoctorFinding(
          finding.isProblem() ? "problem" : "advice", finding.text(), finding.remedy());
    }
  }

  /** The results of all checks. */
  public static DoctorJson of(List<CheckResult> results) {
    return new DoctorJson(
        results.stream().noneMatch(CheckResult::hasProblem),
        results.stream().map(DoctorCheck::of).toList());
  }
}
