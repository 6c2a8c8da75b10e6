/** HBase's filters on spread tables: the same rows and cells pass as would on a plain one. */
@NullMarked
package io.evenkey.client.filter;

import org.jspecify.annotations.NullMarked;
