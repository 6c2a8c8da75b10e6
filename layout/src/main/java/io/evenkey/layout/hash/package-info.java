/**
 * Hashes as storage formats: once keys are written with one, its output can never change. Each is
 * in a file of its own and checked against a library in the tests.
 */
@NullMarked
package io.evenkey.layout.hash;

import org.jspecify.annotations.NullMarked;
