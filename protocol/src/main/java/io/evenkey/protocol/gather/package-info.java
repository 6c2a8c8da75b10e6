/**
 * The messages of a gather on region servers: a {@link io.evenkey.protocol.gather.GatherRequest}
 * asks one server for the first rows of several ranges there. The answer begins with a {@link
 * io.evenkey.protocol.gather.GatherAnswer}, which says up to which key its rows are complete, or
 * with {@link io.evenkey.protocol.gather.GatherPortions}, which say how many rows of each range
 * follow. Pure Java, for clients and region servers.
 */
@NullMarked
package io.evenkey.protocol.gather;

import org.jspecify.annotations.NullMarked;
