package io.evenkey.client.registry;

import org.apache.hadoop.hbase.TableName;

/** Somebody else has taken a table's move further meanwhile. */
public final class MoveConflictException extends RegistryException {
  private static final long serialVersionUID = 1L;

  MoveConflictException(TableName table) {
    super(
        "somebody else is moving the table: table="
            + table
            + "; look at evenkey migrate "
            + table
            + " --status");
  }
}
