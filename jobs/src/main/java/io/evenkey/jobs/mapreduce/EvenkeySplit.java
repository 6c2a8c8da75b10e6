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
 * That part of a physical range which is in one region, and the layout of its rows: all that a task
 * needs to know. Mutable only for Hadoop, which reads it in again.
 */
public final class EvenkeySplit extends InputSplit implements Writable {
  private String layout = "";
  private boolean snapshot;
  private InputSplit physical = new TableSplit();

  /** For Hadoop, before {@link #readFields}. */
  public EvenkeySplit() {}

  EvenkeySplit(String layout, boolean snapshot, InputSplit physical) {
    this.layout = layout;
    this.snapshot = snapshot;
    this.physical = physical;
  }

  /** The line of the layout of its rows. */
  public String layout() {
    return layout;
  }

  boolean isSnapshot() {
    return snapshot;
  }

  /** HBase's own split of the physical rows: for a table a {@link TableSplit}. */
  public InputSplit physical() {
    return physical;
  }

  /** About how many bytes there are, or 0 where HBase does not say. */
  @Override
  public long getLength() throws IOException, InterruptedException {
    return physical.getLength();
  }

  /** The host of the region. */
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

  @Override
  public String toString() {
    return physical + " " + layout;
  }
}
