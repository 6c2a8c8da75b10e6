package io.evenkey.client.registry;

import org.apache.hadoop.hbase.TableName;

/** Something in the registry that is not what it was. */
public sealed interface Change {
  /** A plan was stored or taken away. */
  record OfPlan(Scope scope) implements Change {}

  /** The record of a table's layout was made, changed or taken away. */
  record OfTable(Scope.Table table) implements Change {}

  /** A move was begun, went on, or ended. */
  record OfMove(TableName table) implements Change {}

  /** The connection was away for a while: anything may have changed. */
  record Unknown() implements Change {}
}
