/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.hbase.mapreduce.TableSnapshotInputFormat.TableSnapshotRegionSplit;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;

/**
 * One split of {@link EvenkeyInputFormat}: the part of a physical range in one region, and the
 * layout of its rows. It is all that a task needs to read. Mutable only because Hadoop deserializes
 * it.
 */
public final class EvenkeySplit extends InputSplit implements Writable {
  private String layout = "";
  private boolean snapshot;
  private InputSplit physical = new TableSplit();

  /** Called by Hadoop before {@link #readFields}. */
  public EvenkeySplit() {}

  EvenkeySplit(String layout, boolean snapshot, InputSplit physical) {
    this.layout = layout;
    this.snapshot = snapshot;
    this.physical = physical;
  }

  /** The layout line of the rows. */
  public String layout() {
    return layout;
  }

  boolean isSnapshot() {
    return snapshot;
  }

  /** HBase's split of the physical rows: a {@link TableSplit} for a table. */
  public InputSplit physical() {
    return physical;
  }

  /** The approximate size in bytes; 0 if HBase does not report it. */
  @Override
  public long getLength() throws IOException, InterruptedException {
    return physical.getLength();
  }

  /** The host of the region server that serves the region. */
  @Override
  public String[] getLocations() throws IOException, InterruptedException {
    return physical.getLocations();
  }

  @Override
  public void write(DataOutput out) throws IOException {
    Text.writeString(out, layout);
    out.writeBoolean(snapshot);
    ((Writable) physical).write(out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    layout = Text.readString(in);
    snapshot = in.readBoolean();
    physical = snapshot ? new TableSnapshotRegionSplit() : new TableSplit();
    ((Writable) physical).readFields(in);
  }

  /** HBase's split of the physical rows and the layout line, for logs of jobs. */
  @Override
  public String toString() {
    return physical + " " + layout;
  }
}
