package io.evenkey.client;

import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;

/** A table whose layout is missing, or is not one that this version can work with. */
public final class TableLayoutException extends DoNotRetryIOException {
  private static final long serialVersionUID = 1L;

  TableLayoutException(TableName table, String rule, String remedy) {
    super(rule + ": table=" + table.getNameAsString() + "; " + remedy);
  }
}
