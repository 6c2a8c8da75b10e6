/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.generation;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.naming.DerivedTable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.MD5Hash;
import org.apache.hadoop.security.AccessControlException;

/**
 * Finds tables whose links to files of other tables HBase would misread, see {@link DerivedTable},
 * and repairs them. Stateless.
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
          if (!links(files, CommonFSUtils.getTableDir(root, table.getTableName()), false)
              .isEmpty()) {
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
    FileSystem files = root.getFileSystem(configuration);
    return !links(files, CommonFSUtils.getTableDir(root, table), true).isEmpty();
  }

  /**
   * Has HBase open the regions that it cannot open, which it keeps trying. The file that a link
   * names gets a copy beside the link, with a name that HBase reads rightly, and each part of the
   * file the name of that copy. What an earlier run has done is not done again.
   *
   * @return the parts that have another name now
   */
  public static int repair(Configuration configuration, TableName table) throws IOException {
    Path root = CommonFSUtils.getRootDir(configuration);
    FileSystem files = root.getFileSystem(configuration);
    Path directory = CommonFSUtils.getTableDir(root, table);
    if (!files.exists(directory)) {
      throw new FileNotFoundException(
          FailureMessage.of("table has no directory")
              .with("table", table)
              .with("directory", directory)
              .remedy("use the configuration of a region server, whose hbase.rootdir is HBase's"));
    }
    List<Path> parts = links(files, directory, true);
    for (Path part : parts) {
      String name = part.getName();
      int dot = name.lastIndexOf('.');
      String family = part.getParent().getName();
      Path link =
          new Path(
              new Path(new Path(directory, name.substring(dot + 1)), family),
              name.substring(0, dot));
      Path copy = new Path(link.getParent(), MD5Hash.getMD5AsHex(Bytes.toBytes(link.getName())));
      if (!files.exists(copy)) {
        copy(configuration, files, link, copy);
      }
      rename(files, part, new Path(part.getParent(), copy.getName() + name.substring(dot)));
    }
    return parts.size();
  }

  // A copy is there when it is complete.
  private static void copy(Configuration configuration, FileSystem files, Path link, Path copy)
      throws IOException {
    Path file =
        HFileLink.buildFromHFileLinkPattern(configuration, link).getFileStatus(files).getPath();
    Path draft = new Path(copy.getParent(), "." + copy.getName());
    FileUtil.copy(files, file, files, draft, false, true, configuration);
    rename(files, draft, copy);
  }

  private static void rename(FileSystem files, Path from, Path to) throws IOException {
    if (!files.rename(from, to)) {
      throw new EvenkeyException("file cannot be renamed: file=" + from + " to=" + to);
    }
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

  /** The misread links in the regions of a table, or the parts of the files that they name. */
  private static List<Path> links(FileSystem files, Path table, boolean parts) throws IOException {
    List<Path> links = new ArrayList<>();
    for (FileStatus region : list(files, table)) {
      for (FileStatus family : inside(files, region)) {
        for (FileStatus file : inside(files, family)) {
          String name = file.getPath().getName();
          int end = name.indexOf('=');
          if (end > 0
              && DerivedTable.isMisread(name.substring(0, end))
              && (!parts || name.indexOf('.', end) > 0)) {
            links.add(file.getPath());
          }
        }
      }
    }
    return links;
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
