/** What is asked of the data: queries with weights, and the load around them. */
@NullMarked
package io.evenkey.advisor.query;

import org.jspecify.annotations.NullMarked;
