/** Records in the order in which they arrived, column by column. */
@NullMarked
package io.evenkey.advisor.sample;

import org.jspecify.annotations.NullMarked;
