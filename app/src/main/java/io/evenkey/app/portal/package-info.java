/**
 * The web page for those who run a cluster, and the JSON behind it: routes here, pages among the
 * resources.
 */
@NullMarked
package io.evenkey.app.portal;

import org.jspecify.annotations.NullMarked;
