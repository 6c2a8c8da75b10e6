package io.evenkey.app.history;

import java.io.IOException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.NamespaceExistException;
import org.apache.hadoop.hbase.client.Admin;

/** Where Evenkey keeps tables of its own. Stateless. */
public final class OwnNamespace {
  /** Its name. */
  public static final String NAME = "evenkey";

  private OwnNamespace() {}

  /** Whether a table is one of Evenkey's own. */
  public static boolean has(String table) {
    return table.startsWith(NAME + ":");
  }

  /** Makes it if it is not there. */
  public static void create(Admin admin) throws IOException {
    try {
      admin.createNamespace(NamespaceDescriptor.create(NAME).build());
    } catch (NamespaceExistException e) {
      // As it should be.
    }
  }
}
