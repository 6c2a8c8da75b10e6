/**
 * What users read when something fails: one line with the rule, the names, and the remedy.
 *
 * <p>{@link io.evenkey.app.failure.Problem} is the entry: it takes an exception apart into its
 * causes, those that a server or a job has described in text included, finds the {@linkplain
 * io.evenkey.app.failure.FailureKind kind} of the failure, and fills in the names that the
 * exceptions tell. Commands and the portal show the same line.
 */
@NullMarked
package io.evenkey.app.failure;

import org.jspecify.annotations.NullMarked;
