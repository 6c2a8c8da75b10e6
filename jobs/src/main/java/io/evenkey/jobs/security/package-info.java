/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Rights and labels, where rows of a table are written to another one: {@link
 * io.evenkey.jobs.security.TableRights} grants users the rights that they have on the first, {@link
 * io.evenkey.jobs.security.CellSecurity} knows whether a user can carry what single cells have.
 */
@NullMarked
package io.evenkey.jobs.security;

import org.jspecify.annotations.NullMarked;
