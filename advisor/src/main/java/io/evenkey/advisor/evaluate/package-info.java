/** What a layout would do with the sample: where the writes go, and what each query reads. */
@NullMarked
package io.evenkey.advisor.evaluate;

import org.jspecify.annotations.NullMarked;
