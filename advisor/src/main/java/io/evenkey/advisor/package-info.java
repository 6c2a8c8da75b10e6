/**
 * From a sample of records and the queries on them to layouts, ranked by figures.
 *
 * <p>{@code query} reads what is asked of the data, {@code sample} holds records in the order in
 * which they arrived, {@code candidate} makes layouts that could serve the queries, {@code
 * evaluate} measures each on the sample, and {@link io.evenkey.advisor.Advisor} ranks them by
 * {@code Score}. {@code IndexSets} adds to a table the indexes that pay.
 */
@NullMarked
package io.evenkey.advisor;

import org.jspecify.annotations.NullMarked;
