/** Reading a spread table by conditions on the fields of its key. */
@NullMarked
package io.evenkey.client.select;

import org.jspecify.annotations.NullMarked;
