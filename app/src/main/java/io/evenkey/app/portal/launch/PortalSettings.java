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

  /** The same, listening at another address. */
  public PortalSettings at(String address) {
    return new PortalSettings(
        address, port, token, readOnly, every, stored, hosts, identityHeader, proxies, audit);
  }

  /** The same, with counters read at this interval. */
  public PortalSettings every(Duration interval) {
    return new PortalSettings(
        host, port, token, readOnly, interval, stored, hosts, identityHeader, proxies, audit);
  }

  /** The same, with the history of heat in HBase, or in memory only. */
  public PortalSettings storing(boolean history) {
    return new PortalSettings(
        host, port, token, readOnly, every, history, hosts, identityHeader, proxies, audit);
  }

  /** The same, with a file to which every change is appended, or none. */
  public PortalSettings audit(@Nullable Path file) {
    return new PortalSettings(
        host, port, token, readOnly, every, stored, hosts, identityHeader, proxies, file);
  }

  /** The same, asked for by browsers under these names too. */
  public PortalSettings hosts(List<String> names) {
    return new PortalSettings(
        host, port, token, readOnly, every, stored, names, identityHeader, proxies, audit);
  }

  /** The same, behind reverse proxies that name the user in a header. */
  public PortalSettings behind(@Nullable String header, List<String> addresses) {
    return new PortalSettings(
        host, port, token, readOnly, every, stored, hosts, header, addresses, audit);
  }

  /** The same, without any way to change something. */
  public PortalSettings asReadOnly() {
    return new PortalSettings(
        host, port, token, true, every, stored, hosts, identityHeader, proxies, audit);
  }
}
