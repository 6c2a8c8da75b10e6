/**
 * The keys that clients read and write most. HBase counts by region; a client that is configured to
 * keeps a sketch of its own operations by key, and writes it to a table of Evenkey's at regular
 * times.
 */
@NullMarked
package io.evenkey.client.hotkeys;

import org.jspecify.annotations.NullMarked;
