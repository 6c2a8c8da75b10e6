/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.zookeeper;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/**
 * A section of the JVM's login configuration, by which one session with ZooKeeper logs in as the
 * user that HBase's client works as: a keytab's, or a ticket cache's. Without it ZooKeeper's client
 * needs a file with a section {@code Client}, and knows one user for the whole JVM. Goes when it is
 * closed. Thread-safe.
 */
public final class LoginSection implements AutoCloseable {
  private static final AtomicLong COUNT = new AtomicLong();
  private static final Map<String, UserGroupInformation> USERS = new ConcurrentHashMap<>();
  private static final String DEFAULT = "Client";

  private final String name;
  private final UserGroupInformation user;

  private LoginSection(String name, UserGroupInformation user) {
    this.name = name;
    this.user = user;
  }

  /**
   * The section of the user of this thread; of the one who acts for that user, where it is a proxy
   * user. Null if there are no credentials of Kerberos, or the JVM has a section of its own.
   */
  static @Nullable LoginSection ofCurrentUser() throws IOException {
    UserGroupInformation current = UserGroupInformation.getCurrentUser();
    UserGroupInformation user = current.getRealUser() == null ? current : current.getRealUser();
    String own = System.getProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, DEFAULT);
    if (!user.hasKerberosCredentials() || entry(installed(), own) != null) {
      return null;
    }
    String name = "evenkey-" + COUNT.incrementAndGet();
    USERS.put(name, user);
    install(name);
    return new LoginSection(name, user);
  }

  // Others replace the JVM's configuration too, with or without what was there.
  private static synchronized void install(String name) {
    Configuration before = installed();
    if (entry(before, name) == null) {
      Configuration.setConfiguration(new Sections(before));
    }
  }

  private static @Nullable Configuration installed() {
    try {
      return Configuration.getConfiguration();
    } catch (SecurityException e) {
      // There is none.
      return null;
    }
  }

  private static AppConfigurationEntry @Nullable [] entry(
      @Nullable Configuration configuration, String name) {
    return configuration == null ? null : configuration.getAppConfigurationEntry(name);
  }

  /** Makes a session with ZooKeeper log in by this section. */
  void applyTo(ZKClientConfig session) {
    session.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, name);
  }

  @Override
  public String toString() {
    return user.getUserName();
  }

  @Override
  public void close() {
    USERS.remove(name);
  }

  /** These sections, before those of another configuration. */
  private static final class Sections extends Configuration {
    private final @Nullable Configuration others;

    Sections(@Nullable Configuration others) {
      this.others = others;
    }

    @Override
    public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String name) {
      UserGroupInformation user = USERS.get(name);
      if (user == null) {
        return entry(others, name);
      }
      return new AppConfigurationEntry[] {
        new AppConfigurationEntry(
            UserLoginModule.class.getName(),
            LoginModuleControlFlag.REQUIRED,
            Map.of(UserLoginModule.USER, user))
      };
    }

    @Override
    public void refresh() {
      if (others != null) {
        others.refresh();
      }
    }
  }
}
