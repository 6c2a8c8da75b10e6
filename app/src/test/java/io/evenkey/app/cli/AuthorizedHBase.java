package io.evenkey.app.cli;

import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.security.UserGroupInformation;

/** An HBase that checks permissions, with one region server; the tests' user is its superuser. */
final class AuthorizedHBase {
  private AuthorizedHBase() {}

  /** Starts an HBase, and waits until it stores permissions. */
  static EmbeddedHBase start(Path directory, Map<String, String> more) throws IOException {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("hbase.security.authorization", "true");
    settings.put("hbase.superuser", UserGroupInformation.getCurrentUser().getShortUserName());
    for (String kind : new String[] {"master", "region", "regionserver"}) {
      settings.put("hbase.coprocessor." + kind + ".classes", AccessController.class.getName());
    }
    EmbeddedHBase hbase = EmbeddedHBase.in(directory).servers(1).settings(settings).start();
    try (Admin admin = hbase.connection().getAdmin()) {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () ->
                  admin.tableExists(PermissionStorage.ACL_TABLE_NAME)
                      && admin.isTableAvailable(PermissionStorage.ACL_TABLE_NAME));
    }
    return hbase;
  }
}
