/**
 * The cluster that commands and the portal use: {@link io.evenkey.report.cluster.Cluster} opens its
 * connections with the options of the command line, and logs in with Kerberos.
 */
@NullMarked
package io.evenkey.report.cluster;

import org.jspecify.annotations.NullMarked;
