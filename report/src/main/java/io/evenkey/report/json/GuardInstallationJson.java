/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import org.jspecify.annotations.Nullable;

/**
 * A guard that was added to a table, as JSON.
 *
 * @param version null if the guard does not say it
 * @param server that has answered
 */
public record GuardInstallationJson(
    String table, String jar, @Nullable String version, String server) {}
