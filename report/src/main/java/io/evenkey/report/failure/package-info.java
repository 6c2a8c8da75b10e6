/**
 * The line that users read after a failure: the rule, the names, and the remedy.
 *
 * <p>{@link io.evenkey.report.failure.Problem} is the entry: it splits an exception into its
 * causes, including those that a server or a job has described in text, finds the {@linkplain
 * io.evenkey.report.failure.FailureKind kind} of the failure, and fills in the names from the
 * exceptions. Commands and the portal show the same line.
 */
@NullMarked
package io.evenkey.report.failure;

import org.jspecify.annotations.NullMarked;
