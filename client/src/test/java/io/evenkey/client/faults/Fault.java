/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.faults;

/** A fault that a test causes. */
enum Fault {
  /** A region is cut in two where most of its rows are. */
  SPLIT,
  /** A region moves to another server. */
  MOVE,
  /** A server takes its time. */
  SLOW,
  /** A server dies. */
  KILL,
  /** Two neighbouring regions become one. */
  MERGE,
  /** A server's session with ZooKeeper ends. */
  EXPIRE_SERVER,
  /** The client's session with ZooKeeper ends. */
  EXPIRE_CLIENT
}
