/* SPDX-License-Identifier: Apache-2.0 */
package com.example;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Makes a Put by a layout line. Needs no cluster, and shows that the class path is complete. */
public final class NewestRange {
  private NewestRange() {}

  /** Prints the row, and the class that HBase's setting of the connection names. */
  public static void main(String[] arguments) {
    Layout layout = Layout.parse("salt(16, device) + device:string + ts:timestamp desc");
    Values key = Values.of("device", "d1").and("ts", 1_769_848_200_000L);
    Put put = new Put(layout.logicalKey(key));
    System.out.println("row " + Bytes.toStringBinary(put.getRow()));
    System.out.println("hbase.client.connection.impl " + EvenkeyConnection.class.getName());
  }
}
