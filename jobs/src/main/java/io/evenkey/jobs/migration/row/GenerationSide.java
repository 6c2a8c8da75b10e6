/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.row;

import io.evenkey.layout.Layout;
import org.apache.hadoop.hbase.TableName;

/** A generation that is compared or repaired, and its layout. */
public record GenerationSide(TableName table, Layout layout) {}
