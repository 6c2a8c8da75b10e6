/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.codec;

import java.util.Set;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileConstants;

/** The codecs of Avro's blocks. Stateless. */
public final class AvroCodecs {
  private static final Set<String> READABLE =
      Set.of(
          DataFileConstants.NULL_CODEC,
          DataFileConstants.DEFLATE_CODEC,
          DataFileConstants.SNAPPY_CODEC,
          DataFileConstants.BZIP2_CODEC,
          DataFileConstants.ZSTANDARD_CODEC);

  private AvroCodecs() {}

  /** Whether blocks that were written with a codec can be read. */
  public static boolean canRead(String codec) {
    return READABLE.contains(codec);
  }

  /** The codec to write with. */
  public static CodecFactory of(Codec codec) {
    return switch (codec) {
      case NONE -> CodecFactory.nullCodec();
      case SNAPPY -> CodecFactory.snappyCodec();
      case GZIP -> CodecFactory.deflateCodec(CodecFactory.DEFAULT_DEFLATE_LEVEL);
      case ZSTD -> CodecFactory.zstandardCodec(CodecFactory.DEFAULT_ZSTANDARD_LEVEL);
    };
  }
}
