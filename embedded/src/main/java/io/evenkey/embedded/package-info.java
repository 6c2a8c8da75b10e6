/**
 * A real HBase in one JVM: ZooKeeper, a master and several region servers over a local directory.
 *
 * <p>An {@link io.evenkey.embedded.EmbeddedHBase} is one running instance. It owns its directory
 * while it runs, listens on loopback only, on free ports, logs to a file, and keeps its data for
 * the next start. Tests get one through {@link io.evenkey.embedded.EmbeddedHBaseExtension}.
 */
@NullMarked
package io.evenkey.embedded;

import org.jspecify.annotations.NullMarked;
