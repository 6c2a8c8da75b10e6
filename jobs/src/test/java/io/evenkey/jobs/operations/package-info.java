/* SPDX-License-Identifier: Apache-2.0 */
/** HBase's own replication and tools on spread tables. */
@NullMarked
package io.evenkey.jobs.operations;

import org.jspecify.annotations.NullMarked;
