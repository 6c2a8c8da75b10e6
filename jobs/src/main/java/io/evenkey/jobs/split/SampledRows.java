/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.split;

import io.evenkey.layout.Layout;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;

/** The rows of a target, made from the stored rows of a source. As thread-safe as its parts. */
public interface SampledRows {
  /** The layout of the target. */
  Layout target();

  /** Restricts a scan of the source to what the target's rows are made from. */
  Scan restricted(Scan scan);

  /**
   * The stored row of the target; empty if the source's row has none there.
   *
   * @throws io.evenkey.layout.text.LayoutException if it cannot have one
   */
  Optional<byte[]> row(Result stored);
}
