/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What commands do with tables of HBase's that they have created themselves: {@link
 * io.evenkey.jobs.table.TableRemoval} deletes them, also while the master still creates them for a
 * command that was killed.
 */
@NullMarked
package io.evenkey.jobs.table;

import org.jspecify.annotations.NullMarked;
