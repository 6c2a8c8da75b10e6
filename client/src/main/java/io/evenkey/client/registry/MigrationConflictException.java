package io.evenkey.client.registry;

import io.evenkey.client.zookeeper.RegistryException;
import org.apache.hadoop.hbase.TableName;

/** Another process has taken a table's migration further meanwhile. */
public final class MigrationConflictException extends RegistryException {
  private static final long serialVersionUID = 1L;

  MigrationConflictException(TableName table) {
    super(
        "another process is migrating the table: table="
            + table
            + "; look at evenkey migrate "
            + table
            + " --status");
  }
}
