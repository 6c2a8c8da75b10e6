/* SPDX-License-Identifier: Apache-2.0 */
/** OpenTelemetry spans of jobs, with the spans of what they do in HBase as their children. */
@NullMarked
package io.evenkey.jobs.trace;

import org.jspecify.annotations.NullMarked;
