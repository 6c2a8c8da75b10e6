/**
 * A model of a migration by names: all that can happen to one row, with clients and runs of the
 * migration that stop for arbitrarily long between any two actions.
 */
@org.jspecify.annotations.NullMarked
package io.evenkey.jobs.migration.names;
