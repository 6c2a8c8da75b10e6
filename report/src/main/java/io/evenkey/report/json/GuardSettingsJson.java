/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import java.util.Map;

/**
 * The settings of HBase's servers for the guard, as JSON. Immutable.
 *
 * @param jar to put into the directory
 * @param settings values by name
 */
public record GuardSettingsJson(String jar, String directory, Map<String, String> settings) {}
