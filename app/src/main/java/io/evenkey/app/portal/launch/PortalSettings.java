package io.evenkey.app.portal.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a portal is run. Immutable.
 *
 * @param host the address it listens at
 * @param port the port; 0 for any that is free
 * @param token what a user has to present who changes something
 * @param readOnly whether nothing at all can be changed
 * @param every how often HBase's counters are read, at least a second
 * @param stored whether the history of heat is kept in HBase, rather than in memory only
 * @param hosts names under which browsers may ask for it, besides its address and localhost
 * @param identityHeader the header in which a reverse proxy tells who asks, or null for none
 * @param proxies addresses of the proxies that are believed
 * @param audit the file to which every change is appended, or null for none
 */
public record PortalSettings(
    String host,
    int port,
    String token,
    boolean readOnly,
    Duration every,
    boolean stored,
    List<String> hosts,
    @Nullable String identityHeader,
    List<String> proxies,
    @Nullable Path audit) {
  /** The default port. */
  public static final int PORT = 8620;

  /** Copies the lists. */
  public PortalSettings {
    hosts = List.copyOf(hosts);
    proxies = List.copyOf(proxies);
  }

  /** On this machine only, with the history in HBase. */
  public static PortalSettings local(int port, String token) {
    return new PortalSettings(
        "127.0.0.1",
        port,
        token,
        false,
        Duration.ofMinutes(1),
        true,
        List.of(),
        null,
        List.of(),
        null);
  }

  /** The same, with counters read this often. */
  public PortalSettings every(Duration interval) {
    return new PortalSettings(
        host, port, token, readOnly, interval, stored, hosts, identityHeader, proxies, audit);
  }

  /** The same, with every change appended to a file. */
  public PortalSettings audit(Path file) {
    return new PortalSettings(
        host, port, token, readOnly, every, stored, hosts, identityHeader, proxies, file);
  }

  /** The same, with nothing to be changed by it. */
  public PortalSettings asReadOnly() {
    return new PortalSettings(
        host, port, token, true, every, stored, hosts, identityHeader, proxies, audit);
  }
}
