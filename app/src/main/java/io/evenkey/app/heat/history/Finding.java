package io.evenkey.app.heat.history;

/**
 * Something about a table that its heat shows, in words.
 *
 * @param table which
 * @param kind what, in a word that does not change
 * @param severity 2 something is wrong, 1 worth a look, 0 all is well
 * @param text for people
 * @param remedy what to do about it: {@code advice}, {@code plan}, {@code balance} or nothing
 */
public record Finding(String table, String kind, int severity, String text, String remedy) {}
