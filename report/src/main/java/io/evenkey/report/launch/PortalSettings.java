/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a portal. Immutable.
 *
 * @param host the address it listens at
 * @param port the port; 0 for any that is free
 * @param token the secret that a user presents to change something
 * @param readOnly whether nothing at all can be changed
 * @param every the interval at which HBase's counters are read, at least a second
 * @param stored whether the history of heat is kept in HBase, rather than in memory only
 * @param hosts names under which browsers may ask for it, in addition to its address and localhost
 * @param identityHeader the header in which a reverse proxy names the user, or null for none
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

  /**
   * Options of a portal that listens on this machine only, reads the counters once a minute, keeps
   * the history in HBase, allows changes and has no audit file.
   */
  public static Builder local(int port, String token) {
    return new Builder(port, token);
  }

  /** Collects settings; each is described at the component of its name. Not thread-safe. */
  public static final class Builder {
    private final int port;
    private final String token;
    private String host = "127.0.0.1";
    private boolean readOnly;
    private Duration every = Duration.ofMinutes(1);
    private boolean stored = true;
    private List<String> hosts = List.of();
    private @Nullable String identityHeader;
    private List<String> proxies = List.of();
    private @Nullable Path audit;

    private Builder(int port, String token) {
      this.port = port;
      this.token = token;
    }

    /** Sets {@link PortalSettings#host}. */
    public Builder host(String address) {
      this.host = address;
      return this;
    }

    /** Sets {@link PortalSettings#readOnly}. */
    public Builder readOnly(boolean readOnly) {
      this.readOnly = readOnly;
      return this;
    }

    /** Sets {@link PortalSettings#every}. */
    public Builder every(Duration interval) {
      this.every = interval;
      return this;
    }

    /** Sets {@link PortalSettings#stored}. */
    public Builder stored(boolean stored) {
      this.stored = stored;
      return this;
    }

    /** Sets {@link PortalSettings#hosts}. */
    public Builder hosts(List<String> names) {
      this.hosts = names;
      return this;
    }

    /** Sets {@link PortalSettings#identityHeader} and {@link PortalSettings#proxies}. */
    public Builder behind(@Nullable String identityHeader, List<String> proxies) {
      this.identityHeader = identityHeader;
      this.proxies = proxies;
      return this;
    }

    /** Sets {@link PortalSettings#audit}. */
    public Builder audit(@Nullable Path file) {
      this.audit = file;
      return this;
    }

    /** The settings. */
    public PortalSettings build() {
      return new PortalSettings(
          host, port, token, readOnly, every, stored, hosts, identityHeader, proxies, audit);
    }
  }
}
