/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.generation;

import io.evenkey.layout.naming.DerivedTable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.security.AccessControlException;

/**
 * Finds tables whose links to files of other tables HBase would misread, see {@link DerivedTable}.
 * Stateless.
 */
public final class MisreadLinks {
  private MisreadLinks() {}

  /** The tables that have such links; none where HBase's files cannot be read. */
  public static List<TableName> tables(Configuration configuration, List<TableDescriptor> tables)
      throws IOException {
    List<TableName> found = new ArrayList<>();
    try {
      Path root = CommonFSUtils.getRootDir(configuration);
      FileSystem files = root.getFileSystem(configuration);
      if (hasMisreadTable(files, root) || hasMisreadTable(files, archive(root))) {
        for (TableDescriptor table : tables) {
          if (hasLink(files, CommonFSUtils.getTableDir(root, table.getTableName()), false)) {
            found.add(table.getTableName());
          }
        }
      }
    } catch (AccessControlException e) {
      return found;
    }
    return found;
  }

  /**
   * Whether a region of such a table was split or merged already: HBase cannot open the next ones,
   * which have parts of linked files.
   */
  public static boolean isSplit(Configuration configuration, TableName table) throws IOException {
    Path root = CommonFSUtils.getRootDir(configuration);
    return hasLink(root.getFileSystem(configuration), CommonFSUtils.getTableDir(root, table), true);
  }

  private static Path archive(Path root) {
    return new Path(root, HConstants.HFILE_ARCHIVE_DIRECTORY);
  }

  // Only tables of the default namespace can have such names.
  private static boolean hasMisreadTable(FileSystem files, Path root) throws IOException {
    Path tables =
        new Path(
            new Path(root, HConstants.BASE_NAMESPACE_DIR),
            NamespaceDescriptor.DEFAULT_NAMESPACE_NAME_STR);
    for (FileStatus table : list(files, tables)) {
      if (DerivedTable.isMisread(table.getPath().getName())) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasLink(FileSystem files, Path table, boolean parts) throws IOException {
    for (FileStatus region : list(files, table)) {
      for (FileStatus family : inside(files, region)) {
        for (FileStatus file : inside(files, family)) {
          String name = file.getPath().getName();
          int end = name.indexOf('=');
          if (end > 0
              && DerivedTable.isMisread(name.substring(0, end))
              && (!parts || name.indexOf('.', end) > 0)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static FileStatus[] inside(FileSystem files, FileStatus directory) throws IOException {
    return directory.isDirectory() && !directory.getPath().getName().startsWith(".")
        ? list(files, directory.getPath())
        : new FileStatus[0];
  }

  private static FileStatus[] list(FileSystem files, Path directory) throws IOException {
    try {
      return files.listStatus(directory);
    } catch (FileNotFoundException e) {
      return new FileStatus[0];
    }
  }
}
