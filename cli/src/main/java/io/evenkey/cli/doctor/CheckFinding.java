/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.report.failure.Problem;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * One finding of a check.
 *
 * @param isProblem whether something fails or is wrong; if not, it is worth knowing
 * @param text the finding: rule, then name=value pairs
 * @param remedy the remedy
 */
public record CheckFinding(boolean isProblem, String text, String remedy) {
  private static final String LOGS = "see the logs of HBase";

  static CheckFinding problem(String text, String remedy) {
    return new CheckFinding(true, text, remedy);
  }

  static CheckFinding advice(String text, String remedy) {
    return new CheckFinding(false, text, remedy);
  }

  /**
   * A failure, whose line ends with its remedy. What the user may not see is no problem of HBase.
   */
  static CheckFinding of(Throwable failure) {
    String line = Problem.of(failure, LOGS).line();
    return ofLine(!(failure instanceof AccessDeniedException), line);
  }

  /** A message of Evenkey's that ends with its remedy. */
  static CheckFinding ofLine(boolean isProblem, String line) {
    int remedy = line.indexOf("; ");
    return remedy < 0
        ? new CheckFinding(isProblem, line, LOGS)
        : new CheckFinding(isProblem, line.substring(0, remedy), line.substring(remedy + 2));
  }

  /** The finding as one line. */
  @Override
  public String toString() {
    return text + "; " + remedy;
  }
}
