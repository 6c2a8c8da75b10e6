package io.evenkey.app.cluster;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.KerberosAuthException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Who this process is to a cluster with Kerberos: the principal of HBase's own settings {@value
 * #PRINCIPAL} and {@value #KEYTAB}, or that of the ticket cache. HBase, HDFS, YARN and the registry
 * all see the same user. Stateless.
 */
final class KerberosLogin {
  private static final String PRINCIPAL = "hbase.client.keytab.principal";
  private static final String KEYTAB = "hbase.client.keytab.file";

  private KerberosLogin() {}

  /**
   * Logs in, if the cluster asks for Kerberos and the caller does not work as a user with a ticket.
   *
   * @throws KerberosAuthException if there is no ticket, or the key is refused
   */
  static void of(Configuration configuration) throws IOException {
    if (!User.isHBaseSecurityEnabled(configuration)) {
      return;
    }
    // Hadoop has a setting of its own, in another file, which a client of HBase alone may lack.
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
