/**
 * The cluster that commands and the portal use: {@link io.evenkey.app.cluster.Cluster} opens its
 * connections with the options of the command line, and logs in with Kerberos.
 */
@NullMarked
package io.evenkey.app.cluster;

import org.jspecify.annotations.NullMarked;
