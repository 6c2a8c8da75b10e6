/** {@code evenkey cluster}, a command for checkouts: the program {@code evenkey} finds it. */
@NullMarked
package io.evenkey.cluster.command;

import org.jspecify.annotations.NullMarked;
