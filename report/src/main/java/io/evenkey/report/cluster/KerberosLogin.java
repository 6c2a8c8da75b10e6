/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.cluster;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.KerberosAuthException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Logs this process in to a cluster with Kerberos: with the principal of HBase's own settings
 * {@value #PRINCIPAL} and {@value #KEYTAB}, or of the ticket cache. HBase, HDFS, YARN and the
 * registry all see the same user. Stateless.
 */
final class KerberosLogin {
  private static final String PRINCIPAL = "hbase.client.keytab.principal";
  private static final String KEYTAB = "hbase.client.keytab.file";

  private KerberosLogin() {}

  /**
   * Logs in, if the cluster requires Kerberos and the caller does not yet act as a user with a
   * ticket.
   *
   * @throws KerberosAuthException if the ticket is missing, or Kerberos refuses the key
   */
  static void of(Configuration configuration) throws IOException {
    if (!User.isHBaseSecurityEnabled(configuration)) {
      return;
    }
    // Hadoop's setting for this is in another file, which an HBase-only client may lack.
    configuration.set(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION,
        UserGroupInformation.AuthenticationMethod.KERBEROS.name().toLowerCase(Locale.ROOT));
    UserGroupInformation.setConfiguration(configuration);
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    if (isKnown(user)) {
      return;
    }
    String keytab = configuration.getTrimmed(KEYTAB, "");
    String principal = configuration.getTrimmed(PRINCIPAL, "");
    if (keytab.isEmpty() || principal.isEmpty()) {
      throw new KerberosAuthException("no Kerberos ticket: user=" + user.getShortUserName());
    }
    UserGroupInformation.loginUserFromKeytab(principal, keytab);
  }

  private static boolean isKnown(UserGroupInformation user) {
    UserGroupInformation real = user.getRealUser() == null ? user : user.getRealUser();
    return real.hasKerberosCredentials();
  }
}
