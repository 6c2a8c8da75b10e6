/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * Logs this JVM in to a cluster with Kerberos, by the cluster's keytab. Java and Hadoop know one
 * Kerberos for a JVM, so that it can have one such cluster at a time.
 */
final class Logins {
  private static final String KRB5 = "java.security.krb5.conf";

  private final KerberosFiles files;
  private final Kerberos kerberos;
  private final Configuration client;
  private @Nullable UserGroupInformation superuser;

  private Logins(KerberosFiles files, Kerberos kerberos, Configuration client) {
    this.files = files;
    this.kerberos = kerberos;
    this.client = client;
  }

  /**
   * Makes the cluster's Kerberos that of this JVM.
   *
   * @throws ClusterException if this JVM has another one
   */
  static Logins enter(KerberosFiles files, Kerberos kerberos, Configuration client)
      throws ClusterException {
    String other = System.getProperty(KRB5);
    if (other != null && !Path.of(other).equals(files.krb5())) {
      throw new ClusterException(
          "this JVM uses another Kerberos: "
              + KRB5
              + "="
              + other
              + "; start the cluster in a JVM without that property");
    }
    System.setProperty(KRB5, files.krb5().toString());
    UserGroupInformation.setConfiguration(client);
    return new Logins(files, kerberos, client);
  }

  /** Leaves this JVM without Kerberos. */
  static void leave() {
    System.clearProperty(KRB5);
    UserGroupInformation.setConfiguration(new Configuration());
  }

  UserGroupInformation user(String name) throws IOException {
    return login(Kerberos.user(name));
  }

  private UserGroupInformation login(String principal) throws IOException {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        principal, files.keytab().toString());
  }

  /** Whether the KDC has made the last key, and gives a ticket for it. */
  boolean isReady() throws IOException {
    if (!files.keytab().toFile().exists()) {
      return false;
    }
    superuser = user(kerberos.superuser());
    return true;
  }

  /** Does something as the superuser of HBase. */
  <T> T asSuperuser(PrivilegedExceptionAction<T> action) throws IOException {
    if (superuser == null) {
      superuser = user(kerberos.superuser());
    }
    return as(superuser, action);
  }

  private static <T> T as(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws IOException {
    try {
      return user.doAs(action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while it worked as " + user.getUserName());
    }
  }

  /** Makes the directories that HBase, MapReduce and the users own: HDFS's root is not theirs. */
  void createDirectories() throws IOException {
    as(
        login(Kerberos.service(Kerberos.HDFS)),
        () -> {
          try (FileSystem files = FileSystem.newInstance(client)) {
            create(files, "/hbase", Kerberos.HBASE, 0755);
            create(files, "/tmp", Kerberos.HDFS, 01777);
            create(files, "/user", Kerberos.HDFS, 0755);
            create(files, SiteFiles.STAGING, Kerberos.MAPRED, 01777);
            // Jobs go through it to a directory that all may write to, which the history server
            // makes.
            create(files, SiteFiles.STAGING + "/history", Kerberos.MAPRED, 0755);
            for (String user : kerberos.people()) {
              create(files, "/user/" + user, user, 0755);
            }
            return null;
          }
        });
  }

  private static void create(FileSystem files, String name, String owner, int mode)
      throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(name);
    if (!files.exists(path)) {
      files.mkdirs(path);
      files.setPermission(path, new FsPermission((short) mode));
      files.setOwner(path, owner, SecureSettings.GROUP);
    }
  }
}
