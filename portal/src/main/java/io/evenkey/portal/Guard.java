/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.report.launch.PortalSettings;
import io.javalin.http.Context;
import io.javalin.http.ForbiddenResponse;
import io.javalin.http.UnauthorizedResponse;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a request is allowed.
 *
 * <p>A request that changes something needs the token, in the header {@code Authorization: Bearer
 * …}, or a trusted proxy that names the user; and the header {@value #OWN}, which no page of
 * another site can make a browser send. Tokens are never in cookies, so a browser never sends one
 * automatically. A portal that other machines can reach requires the same for reading.
 *
 * <p>Requests with an unknown host name are refused, as protection against DNS rebinding.
 */
final class Guard {
  /** The header that the portal's own pages and API clients send. */
  static final String OWN = "X-Evenkey-Request";

  /** Request attribute: the description of a change in the audit log. */
  static final String CHANGE = "change";

  /** Request attribute: the user that a trusted proxy names. */
  static final String PERSON = "person";

  private static final String IDENTITY = "identity";

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none';"
              + " frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Cross-Origin-Opener-Policy",
          "same-origin");

  private final PortalSettings settings;
  private final AuditLog audit;
  private final boolean local;

  Guard(PortalSettings settings, AuditLog audit) {
    this.settings = settings;
    this.audit = audit;
    this.local = isLoopback(settings.host());
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  void before(Context request) {
    HEADERS.forEach(request::header);
    String path = request.path();
    if (HealthRoutes.has(path)) {
      return;
    }
    boolean api = path.startsWith("/api/") || path.startsWith("/metrics");
    if (api) {
      request.header("Cache-Control", "no-store");
    }
    checkHost(request);
    String who = hasToken(request) ? "token" : null;
    if (who == null) {
      who = person(request);
      request.attribute(PERSON, who);
    }
    if (who != null) {
      request.attribute(IDENTITY, who);
    }
    if (changes(request)) {
      checkChange(request, who);
    } else if (who == null && RowRoutes.has(path)) {
      throw new UnauthorizedResponse("rows of a table are shown to known users: present the token");
    } else if (api && !local && who == null && !JobRoutes.isReport(path)) {
      throw new UnauthorizedResponse(
          "this portal can be reached from other machines: present its token");
    }
  }

  private static boolean changes(Context request) {
    String method = request.method().name();
    return !method.equals("GET") && !method.equals("HEAD");
  }

  private void checkChange(Context request, @Nullable String who) {
    if (settings.readOnly()) {
      throw new ForbiddenResponse("this portal is read-only; start one without --read-only");
    }
    if (request.header(OWN) == null) {
      throw new ForbiddenResponse("header missing: " + OWN + "; send it with any value");
    }
    String origin = request.header("Origin");
    if (origin != null && !sameOrigin(origin, request.header("Host"))) {
      throw new ForbiddenResponse("request from a page of another site: Origin=" + origin);
    }
    if (who == null) {
      throw new UnauthorizedResponse(
          "token missing or wrong; it is in the address that the portal printed when it started");
    }
    audit.check();
  }

  private static boolean sameOrigin(String origin, @Nullable String host) {
    try {
      return URI.create(origin).getRawAuthority() != null
          && URI.create(origin).getRawAuthority().equalsIgnoreCase(host);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void checkHost(Context request) {
    String host = request.header("Host");
    String name = host == null ? "" : host.replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
    boolean address = name.startsWith("[") || name.matches("[0-9.]+");
    if (!address
        && !name.equals("localhost")
        && !name.equalsIgnoreCase(settings.host())
        && settings.hosts().stream().noneMatch(name::equalsIgnoreCase)) {
      throw new ForbiddenResponse(
          "unknown host name of this portal: Host=" + name + "; allow it with --allowed-host");
    }
  }

  private boolean hasToken(Context request) {
    String given = request.header("Authorization");
    if (given == null || !given.startsWith("Bearer ")) {
      return false;
    }
    byte[] token = given.substring("Bearer ".length()).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(token, settings.token().getBytes(StandardCharsets.UTF_8));
  }

  private @Nullable String person(Context request) {
    String header = settings.identityHeader();
    if (header != null && settings.proxies().contains(request.ip())) {
      String user = request.header(header);
      return user == null || user.isBlank() ? null : user;
    }
    return null;
  }

  void after(Context request) {
    if (changes(request)) {
      String who = request.attribute(IDENTITY);
      String change = request.attribute(CHANGE);
      audit.add(
          who == null ? "unknown" : who,
          request.ip(),
          change == null ? request.method() + " " + request.path() : change,
          request.statusCode());
    }
  }
}
