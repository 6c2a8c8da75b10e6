/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.file;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import java.nio.file.Path;

/**
 * A path at which nothing may be written, because another file is there or because there is no
 * place for one. Nothing was changed. The message is one line: what, where, what to do.
 */
public final class FileRefusedException extends EvenkeyException {
  private static final long serialVersionUID = 1L;

  /**
   * A refusal.
   *
   * @param problem the error
   * @param remedy the remedy
   */
  public FileRefusedException(String problem, Path path, String remedy) {
    super(
        FailureCode.FILE, null, FailureMessage.of(problem).with("path", path).remedy(remedy), null);
  }
}
