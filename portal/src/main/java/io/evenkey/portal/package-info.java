/**
 * The web portal for operators of a cluster. Each {@code …Routes} class answers the JSON requests
 * of one page; the pages are resources. Requests that change state need the token.
 */
@NullMarked
package io.evenkey.portal;

import org.jspecify.annotations.NullMarked;
