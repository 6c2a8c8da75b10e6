/** What starts the portal, for commands that do not know it. */
@NullMarked
package io.evenkey.app.service;

import org.jspecify.annotations.NullMarked;
