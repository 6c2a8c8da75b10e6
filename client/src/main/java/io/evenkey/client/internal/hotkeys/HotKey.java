/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import io.evenkey.layout.bytes.ByteString;
import java.util.OptionalInt;

/**
 * A key that region servers counted, with its rate of late.
 *
 * @param item a physical row, or the logical bytes of a leading field; at most the first 256 bytes
 * @param label the fields and their values; printable bytes if the table has no layout
 * @param bucket the row's bucket; empty for a field, and where the layout has no salt
 * @param perSecond operations a second, about
 * @param lower at least so many, by the sketch, and by the sample with a confidence of 95 %
 * @param upper at most so many, likewise
 * @param regions the number of regions that count it
 * @param region the encoded name of the region that counts most of it
 * @param server the name of the server of that region
 */
public record HotKey(
    ByteString item,
    String label,
    OptionalInt bucket,
    double perSecond,
    double lower,
    double upper,
    int regions,
    String region,
    String server) {}
