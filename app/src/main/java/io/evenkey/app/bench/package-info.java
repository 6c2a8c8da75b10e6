/** Evenkey beside plain HBase and its peers, by turns on one HBase in one run. */
@NullMarked
package io.evenkey.app.bench;

import org.jspecify.annotations.NullMarked;
