/** Remedies: the next step of an operator, in words that commands, pages and programs share. */
@NullMarked
package io.evenkey.client.internal.remedy;

import org.jspecify.annotations.NullMarked;
