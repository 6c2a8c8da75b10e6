/** Advice held against an HBase: what was predicted, and what its servers count. */
@NullMarked
package io.evenkey.app.advice;

import org.jspecify.annotations.NullMarked;
