/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.security;

import io.evenkey.jobs.compare.CellTags;
import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.visibility.VisibilityClient;

/**
 * Whether a user can carry the security of single cells to another table: HBase shows cells with
 * visibility labels only to those who may see them, and lets only superusers write the tags that
 * hold labels and rights. Stateless.
 */
public final class CellSecurity {
  /** Servers compare with it who may do everything. */
  private static final String SUPERUSERS = "hbase.superuser";

  private static final int SAMPLED_REGIONS = 32;
  private static final int SAMPLED_ROWS = 100;

  private CellSecurity() {}

  /**
   * Why a user cannot carry it.
   *
   * @param reason in words, with the user
   * @param remedy the way out
   */
  public record Obstacle(String reason, String remedy) {}

  /**
   * Looks at what can be known before the work begins: whether the user sees all cells, and whether
   * a sample of each of some regions has rights of single cells.
   *
   * @param plain HBase's own connection: its rows are physical
   * @return empty if the user can carry it
   */
  public static Optional<Obstacle> obstacle(Connection plain, TableName source) throws IOException {
    List<SecurityCapability> capabilities;
    try (Admin admin = plain.getAdmin()) {
      capabilities = admin.getSecurityCapabilities();
    }
    if (capabilities.contains(SecurityCapability.CELL_VISIBILITY) && !seesAllLabels(plain)) {
      return Optional.of(
          obstacle(
              "the cluster has visibility labels, and the user may not see all cells",
              "run the command as a superuser of HBase"));
    }
    if (capabilities.contains(SecurityCapability.CELL_AUTHORIZATION)
        && !isSuperuser(plain)
        && hasCellRights(plain, source)) {
      return Optional.of(
          obstacle(
              "cells have rights of their own, which only superusers can write",
              "run the command as a superuser of HBase, with "
                  + SUPERUSERS
                  + " set as the servers have it"));
    }
    return Optional.empty();
  }

  private static Obstacle obstacle(String reason, String remedy) throws IOException {
    return new Obstacle(reason + ": user=" + User.getCurrent().getShortName(), remedy);
  }

  /** Whether cells of a row that was read with its tags have labels or rights of their own. */
  public static boolean isInRow(Result row) {
    for (Cell cell : row.rawCells()) {
      ExtendedCell tagged = (ExtendedCell) cell;
      if (tagged.getTagsLength() > 0
          && (PrivateCellUtil.getTag(tagged, TagType.ACL_TAG_TYPE).isPresent()
              || PrivateCellUtil.getTag(tagged, TagType.VISIBILITY_TAG_TYPE).isPresent())) {
        return true;
      }
    }
    return false;
  }

  /** Servers list labels to superusers alone. */
  private static boolean seesAllLabels(Connection plain) throws IOException {
    try {
      VisibilityClient.listLabels(plain, ".*");
      return true;
    } catch (AccessDeniedException e) {
      return false;
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new EvenkeyException("visibility labels cannot be listed: reason=" + e.getMessage(), e);
    }
  }

  private static boolean isSuperuser(Connection plain) throws IOException {
    User user = User.getCurrent();
    List<String> superusers = Arrays.asList(plain.getConfiguration().getTrimmedStrings(SUPERUSERS));
    return superusers.contains(user.getShortName())
        || Arrays.stream(user.getGroupNames()).anyMatch(group -> superusers.contains("@" + group));
  }

  private static boolean hasCellRights(Connection plain, TableName source) throws IOException {
    try (Connection tagged =
            ConnectionFactory.createConnection(CellTags.read(plain.getConfiguration()));
        Admin admin = tagged.getAdmin();
        Table table = tagged.getTable(source)) {
      List<RegionInfo> regions = admin.getRegions(source);
      int step = 1 + (regions.size() - 1) / SAMPLED_REGIONS;
      for (int i = 0; i < regions.size(); i += step) {
        if (hasCellRights(table, regions.get(i))) {
          return true;
        }
      }
      return false;
    }
  }

  private static boolean hasCellRights(Table table, RegionInfo region) throws IOException {
    Scan sample =
        new Scan()
            .withStartRow(region.getStartKey())
            .withStopRow(region.getEndKey())
            .setLimit(SAMPLED_ROWS)
            .setCacheBlocks(false);
    try (ResultScanner rows = table.getScanner(sample)) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          if (PrivateCellUtil.getTag((ExtendedCell) cell, TagType.ACL_TAG_TYPE).isPresent()) {
            return true;
          }
        }
      }
      return false;
    }
  }
}
