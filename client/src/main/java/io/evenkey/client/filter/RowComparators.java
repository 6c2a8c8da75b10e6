package io.evenkey.client.filter;

import java.util.Arrays;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/** What a RowFilter compares rows with, put behind a prefix. Stateless. */
final class RowComparators {
  private RowComparators() {}

  /**
   * The comparator that says of a row behind the prefix what the given one says of the logical key.
   *
   * @throws UnsupportedFilterException if there is none
   */
  static ByteArrayComparable behind(byte[] prefix, ByteArrayComparable comparator) {
    byte[] value = comparator.getValue();
    if (comparator instanceof BinaryComparator) {
      return new BinaryComparator(joined(prefix, value));
    } else if (comparator instanceof BinaryPrefixComparator) {
      return new BinaryPrefixComparator(joined(prefix, value));
    } else if (comparator instanceof BinaryComponentComparator component) {
      return component(prefix, component);
    }
    throw new UnsupportedFilterException(
        "RowFilter(" + comparator.getClass().getSimpleName() + ")",
        "it would look at the prefix of the row as well; compare with bytes, or filter what comes"
            + " back");
  }

  // The offset has no getter, and equals compares something else; what is sent to servers has it.
  private static ByteArrayComparable component(
      byte[] prefix, BinaryComponentComparator comparator) {
    try {
      int offset =
          ComparatorProtos.BinaryComponentComparator.parseFrom(comparator.toByteArray())
              .getOffset();
      return new BinaryComponentComparator(comparator.getValue(), offset + prefix.length);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a comparator that cannot read itself", e);
    }
  }

  private static byte[] joined(byte[] prefix, byte[] value) {
    byte[] row = Arrays.copyOf(prefix, prefix.length + value.length);
    System.arraycopy(value, 0, row, prefix.length, value.length);
    return row;
  }
}
