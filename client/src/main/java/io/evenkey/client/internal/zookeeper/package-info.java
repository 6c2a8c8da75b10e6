/**
 * Sessions with ZooKeeper for the registry: where it is, the login, and the rights of nodes.
 * Commands and migrations open them; clients that read and write rows do not.
 */
@NullMarked
package io.evenkey.client.internal.zookeeper;

import org.jspecify.annotations.NullMarked;
