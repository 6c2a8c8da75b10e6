/**
 * The HTML report of {@code advise}: a page with charts and heat maps, in one file without
 * references to others.
 */
@NullMarked
package io.evenkey.report.advice;

import org.jspecify.annotations.NullMarked;
