/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.jobs.mapreduce.HFiles;
import io.evenkey.jobs.migration.row.RowRewriter;
import io.evenkey.protocol.guard.FileStamp;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * HFiles of a copy. Their cells keep their sequence numbers, which are none: whatever is written to
 * the table wins over them where timestamps tie. They name the run of the migration, without which
 * the guard does not let them into a table that is closed to clients.
 */
final class CopiedFiles extends HFiles {
  @Override
  protected int bucketWidth(Configuration configuration) {
    return RowRewriter.in(configuration).to().spread().width();
  }

  @Override
  protected void addInfo(Configuration configuration, TableDescriptor table, StoreFileWriter file)
      throws IOException {
    int turn = configuration.getInt(RateLimitedMapper.TURN, 0);
    file.appendFileInfo(Bytes.toBytes(FileStamp.TURN), GuardAttributes.number(turn));
    file.appendFileInfo(HStoreFile.SKIP_RESET_SEQ_ID, Bytes.toBytes(true));
  }
}
