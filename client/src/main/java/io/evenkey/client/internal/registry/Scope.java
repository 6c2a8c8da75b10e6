/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;

/** The table, or the namespace, that a plan is for. Immutable; compared by value. */
public sealed interface Scope {
  /** One table. */
  record Table(TableName name) implements Scope {
    @Override
    public boolean isSystem() {
      return name.isSystemTable();
    }

    @Override
    public String toString() {
      return name.getNameAsString();
    }
  }

  /** All tables of a namespace that do not say otherwise. */
  record Namespace(String name) implements Scope {
    /** Checks the name as HBase does. */
    public Namespace {
      TableName.isLegalNamespaceName(name.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public boolean isSystem() {
      return name.equals(NamespaceDescriptor.SYSTEM_NAMESPACE_NAME_STR);
    }

    @Override
    public String toString() {
      return name + ":*";
    }
  }

  /** One table. */
  static Scope of(TableName table) {
    return new Table(table);
  }

  /** The namespace that a table is in. */
  static Scope namespaceOf(TableName table) {
    return new Namespace(table.getNamespaceAsString());
  }

  /**
   * A scope as people write it: {@code table}, {@code namespace:table}, or {@code namespace:*}.
   *
   * @throws IllegalArgumentException if HBase would not take the name
   */
  static Scope parse(String text) {
    return text.endsWith(":*")
        ? new Namespace(text.substring(0, text.length() - 2))
        : new Table(TableName.valueOf(text));
  }

  /** Whether this is about HBase's own tables, which are not planned. */
  boolean isSystem();
}
