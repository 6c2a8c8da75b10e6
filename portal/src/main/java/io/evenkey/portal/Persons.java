/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.report.cluster.Cluster;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.Handler;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users that a trusted proxy names, on a cluster with Kerberos. Each has a separate connection,
 * on which the portal's principal impersonates the user, so that HBase checks the user's own
 * permissions. HBase has to allow this impersonation ({@code hadoop.proxyuser.…}). Connections stay
 * open until the portal ends. Thread-safe.
 *
 * <p>Without Kerberos, HBase trusts the user name that any client sends; all requests then run as
 * the user who runs the portal.
 */
final class Persons implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Persons.class);
  private static final int MOST = 200;

  /** The form of a user name from a proxy: no host and no wildcard. */
  private static final String NAME = "[A-Za-z0-9._-]{1,64}(@[A-Za-z0-9._-]{1,64})?";

  private final Cluster own;
  private final Function<Cluster, List<ApiRoute>> routes;
  private final Map<String, Person> open = new HashMap<>();

  /**
   * @param own the portal's own cluster
   * @param routes creates the routes of a cluster
   */
  Persons(Cluster own, Function<Cluster, List<ApiRoute>> routes) {
    this.own = own;
    this.routes = routes;
  }

  private record Person(UserGroupInformation user, Cluster cluster, List<ApiRoute> routes) {}

  /** A handler that acts as the user that the proxy names, or as the portal's own user. */
  Handler as(int number, Handler itself) {
    return User.isHBaseSecurityEnabled(own.configuration())
        ? request -> answer(request, number, itself)
        : itself;
  }

  private void answer(Context request, int number, Handler itself) throws Exception {
    String name = request.attribute(Guard.PERSON);
    if (name == null) {
      itself.handle(request);
      return;
    }
    Person person = person(name);
    person
        .user()
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  person.routes().get(number).handler().handle(request);
                  return null;
                });
  }

  private Person person(String name) throws IOException, InterruptedException {
    if (!name.matches(NAME)) {
      throw new ForbiddenResponse(
          "invalid user name: user=" + name + "; the proxy has to send a short name");
    }
    synchronized (this) {
      Person known = open.get(name);
      if (known != null) {
        return known;
      }
      if (open.size() >= MOST) {
        throw new ForbiddenResponse(
            "too many users: most=" + MOST + "; restart the portal, which closes connections");
      }
    }
    // Requests of other users do not wait for this connection.
    return first(name, connect(name));
  }

  private Person connect(String name) throws IOException, InterruptedException {
    UserGroupInformation user =
        UserGroupInformation.createProxyUser(name, UserGroupInformation.getLoginUser());
    Cluster cluster =
        user.doAs((PrivilegedExceptionAction<Cluster>) () -> Cluster.open(own.configuration()));
    return new Person(user, cluster, routes.apply(cluster));
  }

  private synchronized Person first(String name, Person person) throws IOException {
    Person known = open.putIfAbsent(name, person);
    if (known == null) {
      return person;
    }
    person.cluster().close();
    return known;
  }

  @Override
  public synchronized void close() {
    for (Person person : open.values()) {
      try {
        person.cluster().close();
      } catch (IOException e) {
        // The other connections still have to be closed.
        LOG.warn("connection not closed: user={}", person.user().getShortUserName(), e);
      }
    }
    open.clear();
  }
}
