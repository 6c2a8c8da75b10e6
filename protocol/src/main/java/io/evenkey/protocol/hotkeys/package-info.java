/**
 * The most frequent keys of a table: counts with bounds ({@link
 * io.evenkey.protocol.hotkeys.HotItems}), and the messages by which a client asks region servers
 * for theirs. {@link io.evenkey.protocol.hotkeys.HotKeySetting} in a table's descriptor has the
 * servers count; a {@link io.evenkey.protocol.hotkeys.HotKeyQuestion} asks one region, which
 * answers with a {@link io.evenkey.protocol.hotkeys.HotKeyAnswer}. Pure Java, for clients and
 * region servers.
 */
@NullMarked
package io.evenkey.protocol.hotkeys;

import org.jspecify.annotations.NullMarked;
