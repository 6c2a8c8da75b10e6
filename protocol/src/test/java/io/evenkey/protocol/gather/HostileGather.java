/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.gather;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The law for hostile messages: each is rejected with the documented exception, or is exactly what
 * would be written. Each check returns whether the message was accepted.
 */
final class HostileGather {
  private HostileGather() {}

  static boolean request(byte[] bytes) {
    GatherRequest request;
    try {
      request = GatherRequest.parse(bytes);
    } catch (IllegalArgumentException e) {
      return false;
    }
    assertThat(request.toBytes()).isEqualTo(bytes);
    return true;
  }

  static boolean portions(byte[] bytes) {
    GatherPortions portions;
    try {
      portions = GatherPortions.parse(bytes);
    } catch (IllegalArgumentException e) {
      return false;
    }
    assertThat(portions.toBytes()).isEqualTo(bytes);
    return true;
  }

  static boolean answer(byte[] bytes) {
    GatherAnswer answer;
    try {
      answer = GatherAnswer.parse(bytes);
    } catch (IllegalArgumentException e) {
      return false;
    }
    assertThat(answer.toBytes()).isEqualTo(bytes);
    return true;
  }
}
