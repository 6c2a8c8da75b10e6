/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

/**
 * A job of the portal as JSON. Immutable.
 *
 * @param done how much of {@code total} is done
 * @param total 0 if it is not known
 * @param text what is counted, or why the job failed
 * @param result a document by the kind of the job; empty until it is done
 * @param report whether the job has a report
 */
public record JobJson(
    String id,
    String kind,
    String title,
    String state,
    long done,
    long total,
    String text,
    double seconds,
    Object result,
    boolean report) {}
