/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers and tables that have the guard, as JSON. Immutable.
 *
 * @param complete whether no server or table is known to lack it
 */
public record GuardSurveyJson(
    boolean complete,
    GuardedMaster master,
    List<GuardedServer> servers,
    List<GuardedTable> tables) {
  /** Copies the lists. */
  public GuardSurveyJson {
    servers = List.copyOf(servers);
    tables = List.copyOf(tables);
  }

  /**
   * The active master.
   *
   * @param server null if there is none
   */
  public record GuardedMaster(@Nullable String server, boolean guard) {}

  /**
   * A region server.
   *
   * @param guard null if it has no region of a table to ask
   */
  public record GuardedServer(String server, int regions, @Nullable Boolean guard) {}

  /**
   * A table with a layout.
   *
   * @param attribute whether the guard is an attribute of the table
   * @param guard null if its first region could not be asked
   * @param mode null without an answer of the guard, as the version and the server
   * @param problem why its first region could not be asked; null if it was
   */
  public record GuardedTable(
      String table,
      String layout,
      boolean attribute,
      @Nullable Boolean guard,
      @Nullable String mode,
      @Nullable String version,
      @Nullable String server,
      @Nullable String problem) {}
}
