/**
 * The archive and the packages, as a user has them: unpacked, and started without Maven or a
 * compiler.
 */
package io.evenkey.dist;
