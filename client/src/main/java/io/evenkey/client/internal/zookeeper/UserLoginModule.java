/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.zookeeper;

import java.io.IOException;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.login.LoginException;
import javax.security.auth.spi.LoginModule;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;

/**
 * A login that takes over the Kerberos tickets of a user who has logged in with Hadoop, for
 * ZooKeeper's client; public for Java's login alone, which makes one. Tickets that end soon are
 * renewed before: ZooKeeper's client logs in again when four fifths of their time are over.
 */
public final class UserLoginModule implements LoginModule {
  /** The option with the user, a {@link UserGroupInformation}. */
  static final String USER = "user";

  private @Nullable Subject subject;
  private @Nullable UserGroupInformation user;
  private final Set<KerberosPrincipal> principals = new HashSet<>();
  private final Set<KerberosTicket> tickets = new HashSet<>();

  /** As Java's login calls it. */
  public UserLoginModule() {}

  @Override
  public void initialize(
      Subject given, CallbackHandler handler, Map<String, ?> sharedState, Map<String, ?> options) {
    subject = given;
    user = (UserGroupInformation) options.get(USER);
  }

  @Override
  public boolean login() throws LoginException {
    if (user == null) {
      throw new LoginException("login without a user: option=" + USER);
    }
    try {
      if (user.isFromKeytab()) {
        user.checkTGTAndReloginFromKeytab();
      } else {
        user.reloginFromTicketCache();
      }
    } catch (IOException e) {
      LoginException failure = new LoginException(e.getMessage());
      failure.initCause(e);
      throw failure;
    }
    Subject source = subjectOf(user);
    principals.addAll(source.getPrincipals(KerberosPrincipal.class));
    // Java may take one for a service, as if others could be got by it.
    source.getPrivateCredentials(KerberosTicket.class).stream()
        .filter(ticket -> !ticket.isDestroyed())
        .filter(ticket -> ticket.getServer().getName().startsWith("krbtgt/"))
        .forEach(tickets::add);
    return !tickets.isEmpty();
  }

  // Hadoop shows its subject to what is done as the user alone.
  @SuppressWarnings("removal")
  private static Subject subjectOf(UserGroupInformation user) {
    return user.doAs(
        (PrivilegedAction<Subject>) () -> Subject.getSubject(AccessController.getContext()));
  }

  @Override
  public boolean commit() {
    if (subject == null || tickets.isEmpty()) {
      return false;
    }
    subject.getPrincipals().addAll(principals);
    subject.getPrivateCredentials().addAll(tickets);
    return true;
  }

  @Override
  public boolean abort() {
    return logout();
  }

  @Override
  public boolean logout() {
    if (subject != null) {
      subject.getPrincipals().removeAll(principals);
      // Those for ZooKeeper's servers, too, which were got by them.
      subject.getPrivateCredentials().removeIf(KerberosTicket.class::isInstance);
    }
    principals.clear();
    tickets.clear();
    return true;
  }
}
