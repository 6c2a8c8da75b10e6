/**
 * Which keys are read and written most: sketches that each client keeps of its own operations if it
 * is configured to, and reports to a table in HBase at regular times. HBase counts by region; this
 * counts by key.
 */
@NullMarked
package io.evenkey.client.hot;

import org.jspecify.annotations.NullMarked;
