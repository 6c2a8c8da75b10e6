package io.evenkey.client.adopt;

/**
 * A layout that a table may have been written under.
 *
 * @param fit how it fits the sample; all of it
 * @param system what writes such rows, in words
 * @param caution what does not follow from the rows and has to be known, or empty
 */
public record Proposal(Fit fit, String system, String caution) {}
