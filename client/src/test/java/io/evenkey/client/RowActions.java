/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.layout.bytes.ByteText;
import java.io.IOException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Makes an action of any kind by the call of a table that is for it, and shows it and its answer.
 */
public final class RowActions {
  private RowActions() {}

  /** The visible parts of a result, except times that servers chose. */
  public static String seen(Result result) {
    if (result == null) {
      return "null";
    }
    StringBuilder text = new StringBuilder("exists=" + result.getExists());
    text.append(" row=").append(result.isEmpty() ? "" : ByteText.printable(result.getRow()));
    if (result.rawCells() == null) {
      return text.append(" no cells").toString();
    }
    for (Cell cell : result.rawCells()) {
      byte[] found = result.getValue(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell));
      text.append(found == null ? " lost" : " ")
          .append(ByteText.printable(CellUtil.cloneRow(cell)));
      text.append('/').append(ByteText.printable(CellUtil.cloneQualifier(cell)));
      text.append('=').append(ByteText.printable(CellUtil.cloneValue(cell)));
      text.append(cell.getTimestamp() < 1_000_000 ? "@" + cell.getTimestamp() : "");
    }
    return text.toString();
  }

  public static String seen(Object result) {
    if (result instanceof Result read) {
      return seen(read);
    }
    return result instanceof CheckAndMutateResult check
        ? check.isSuccess() + " " + seen(check.getResult())
        : String.valueOf(result);
  }

  /** An action with all that it has, in short. */
  public static String text(Row action) {
    if (action instanceof RowMutations several) {
      return several.getMutations().stream().map(RowActions::text).toList().toString();
    }
    if (action instanceof CheckAndMutate check) {
      String condition =
          check.hasFilter()
              ? check.getFilter().toString()
              : Bytes.toStringBinary(check.getQualifier())
                  + " "
                  + check.getCompareOp()
                  + " "
                  + (check.getValue() == null ? "" : Bytes.toStringBinary(check.getValue()));
      return "if " + condition + ": " + text(check.getAction());
    }
    StringBuilder text = new StringBuilder(action.getClass().getSimpleName());
    text.append(' ').append(ByteText.printable(action.getRow()));
    if (action instanceof Mutation mutation) {
      boolean ends = mutation.getTTL() != Long.MAX_VALUE;
      text.append(ends ? " ttl=" + mutation.getTTL() : "");
      boolean isTimed = mutation.getTimestamp() != HConstants.LATEST_TIMESTAMP;
      text.append(isTimed ? " @" + mutation.getTimestamp() : "");
      mutation.getFamilyCellMap().values().forEach(cells -> cells.forEach(c -> text(text, c)));
    }
    return text.toString();
  }

  private static void text(StringBuilder text, Cell cell) {
    text.append(cell.getType() == Cell.Type.Put ? " " : " " + cell.getType() + " ")
        .append(ByteText.printable(CellUtil.cloneQualifier(cell)))
        .append('=')
        .append(ByteText.printable(CellUtil.cloneValue(cell)));
    boolean isTimed = cell.getTimestamp() != HConstants.LATEST_TIMESTAMP;
    text.append(isTimed ? "@" + cell.getTimestamp() : "");
  }

  /** Makes an action; what it answers, as text. */
  public static String run(Table table, Row action) throws IOException {
    if (action instanceof Put put) {
      table.put(put);
    } else if (action instanceof Delete delete) {
      table.delete(delete);
    } else if (action instanceof Increment increment) {
      return seen(table.increment(increment));
    } else if (action instanceof Append append) {
      return seen(table.append(append));
    } else if (action instanceof RowMutations mutations) {
      return seen(table.mutateRow(mutations));
    } else if (action instanceof CheckAndMutate check) {
      return seen((Object) table.checkAndMutate(check));
    }
    return "done";
  }

  /** As {@link #run(Table, Row)}. */
  public static String run(AsyncTable<?> table, Row action) throws IOException {
    if (action instanceof Put put) {
      FutureUtils.get(table.put(put));
    } else if (action instanceof Delete delete) {
      FutureUtils.get(table.delete(delete));
    } else if (action instanceof Increment increment) {
      return seen(FutureUtils.get(table.increment(increment)));
    } else if (action instanceof Append append) {
      return seen(FutureUtils.get(table.append(append)));
    } else if (action instanceof RowMutations mutations) {
      return seen(FutureUtils.get(table.mutateRow(mutations)));
    } else if (action instanceof CheckAndMutate check) {
      return seen((Object) FutureUtils.get(table.checkAndMutate(check)));
    }
    return "done";
  }
}
