/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.text.RowException;
import io.evenkey.layout.text.SyntaxException;
import java.util.List;

/**
 * The law for hostile input: no exception but the documented one, and input that is accepted is
 * exactly what would be written. Each check returns whether the input was accepted, so that a test
 * can demand that some inputs are.
 */
final class Hostile {
  /** Layouts that together have every ending, form of bucket and kind of key. */
  static final List<Layout> LAYOUTS =
      List.of(
          Layout.parse("salt(16, d) + d:string + ts:timestamp desc"),
          Layout.parse("salt(10, d; over=3, as=digits(2), sep=\"_\") + d:bytes + n:int8"),
          Layout.parse("salt(7, d; 3 from n -5, 20 from n 0) + d:string desc + n:int16 desc"),
          Layout.parse("salt(9, d / 10; over=2) + d:digits(4) + ts:timestamp"),
          Layout.parse("salt(9, d, ts every 7s; 30 from ts 0) + d:bool + ts:timestamp desc"),
          Layout.parse("md5(a)[0..6]:HEX + \":\" + a:string + \"!\" + b:decimal desc + c:float64"),
          Layout.parse("phoenix_salt(4) + a:string + b:decimal desc + c:int32 + d:string desc"),
          Layout.parse("hbasewd_salt(10) + reverse_domain(u:string)"),
          Layout.parse("opentsdb_salt(2, 300) + metric:bytes(3) + base:uint32 + tags:bytes"),
          Layout.parse("reverse(a:digits(4) + b:hex(3)) + reverse(c:string + d:bool)"),
          Layout.parse("salt(300, random; as=letters) + t:timestamp(\"yyyy-MM-dd\") + u:uuid"),
          Layout.parse("a:bytes desc + b:digits + \"-\" + c:float32 desc + d:date + e:uint64"));

  private Hostile() {}

  static boolean line(String line) {
    Layout layout;
    try {
      layout = Layout.parse(line);
    } catch (SyntaxException e) {
      return false;
    }
    assertThat(Layout.parse(layout.toString())).isEqualTo(layout);
    return true;
  }

  static boolean row(Layout layout, byte[] row) {
    Values record;
    try {
      record = layout.decode(row);
    } catch (RowException e) {
      assertThatExceptionOfType(RowException.class).isThrownBy(() -> layout.reader().check(row));
      return false;
    }
    layout.reader().check(row);
    byte[] logical;
    try {
      logical = layout.logicalKey(record);
    } catch (ValueException e) {
      // Read, but not written: a byte that sorts before the literal that ends the field.
      assertThat(e).hasMessageContaining("the separator");
      return false;
    }
    if (layout.spread().isRandom()) {
      assertThat(layout.logical(row)).isEqualTo(logical);
    } else {
      assertThat(layout.encode(record)).as("%s %s", layout, record).isEqualTo(row);
    }
    return true;
  }

  static boolean condition(Layout layout, String condition) {
    try {
      Where where = layout.where(condition);
      Scatter scatter = layout.scatter(where);
      where.residual(scatter.exact());
      return true;
    } catch (SyntaxException | ValueException e) {
      return false;
    }
  }
}
