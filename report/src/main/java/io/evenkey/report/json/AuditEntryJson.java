/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

/**
 * A change that a user made in the portal, as JSON.
 *
 * @param from the address of the browser
 * @param status of the response
 */
public record AuditEntryJson(String at, String who, String from, String what, int status) {}
