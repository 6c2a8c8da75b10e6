/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import java.util.List;

/**
 * The result of one check.
 *
 * @param check the check's name, which stays the same from version to version
 * @param skipped why it was not made; empty if it was
 */
public record CheckResult(String check, List<CheckFinding> findings, String skipped) {
  /** Copies the list. */
  public CheckResult {
    findings = List.copyOf(findings);
  }

  /** Whether a finding is a problem. */
  public boolean hasProblem() {
    return findings.stream().anyMatch(CheckFinding::isProblem);
  }

  /** {@code ok}, {@code advice}, {@code problem} or {@code skipped}. */
  public String state() {
    if (!skipped.isEmpty()) {
      return "skipped";
    }
    return findings.isEmpty() ? "ok" : hasProblem() ? "problem" : "advice";
  }
}
