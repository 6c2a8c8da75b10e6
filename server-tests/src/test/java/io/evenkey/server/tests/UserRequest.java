/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import io.evenkey.embedded.EmbeddedHBase;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.User;

/** A request of a user, to an HBase that checks rights. */
interface UserRequest<T> {
  T on(Table table) throws IOException;

  /** Makes it as a user, on a connection of its own. */
  default T as(String name, EmbeddedHBase hbase, TableName table) throws Exception {
    Configuration conf = hbase.configuration();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    User user = User.createUserForTesting(conf, name, new String[0]);
    return user.runAs(
        (PrivilegedExceptionAction<T>)
            () -> {
              try (Connection connection = ConnectionFactory.createConnection(conf);
                  Table open = connection.getTable(table)) {
                return on(open);
              }
            });
  }
}
