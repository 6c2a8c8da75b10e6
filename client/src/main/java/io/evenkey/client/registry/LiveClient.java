package io.evenkey.client.registry;

import java.time.Instant;

/**
 * A connection that works on tables with a layout, as long as it lives.
 *
 * @param id tells it from all others
 * @param host where it runs
 * @param process its process there
 * @param user as the operating system or Kerberos calls who runs it
 * @param version of Evenkey, or {@code unknown}
 * @param since when it was opened
 */
public record LiveClient(
    String id, String host, long process, String user, String version, Instant since) {}
