/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.codec;

import io.airlift.compress.zstd.ZstdCompressor;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileConstants;

/**
 * Avro's codecs, with Zstandard by aircompressor: Avro's own calls a native library, of which jars
 * for every system would be shipped. Stateless.
 */
public final class AvroCodecs {
  private static final Set<String> READABLE =
      Set.of(
          DataFileConstants.NULL_CODEC,
          DataFileConstants.DEFLATE_CODEC,
          DataFileConstants.SNAPPY_CODEC,
          DataFileConstants.BZIP2_CODEC,
          DataFileConstants.ZSTANDARD_CODEC);

  private AvroCodecs() {}

  /** Makes Avro's readers use these; they find codecs by their names in one list. */
  public static void register() {
    CodecFactory.addCodec(DataFileConstants.ZSTANDARD_CODEC, new ZstandardFactory());
  }

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
      case ZSTD -> new ZstandardFactory();
    };
  }

  private static final class ZstandardFactory extends CodecFactory {
    @Override
    protected org.apache.avro.file.Codec createInstance() {
      return new Zstandard();
    }
  }

  private static final class Zstandard extends org.apache.avro.file.Codec {
    @Override
    public String getName() {
      return DataFileConstants.ZSTANDARD_CODEC;
    }

    @Override
    public ByteBuffer compress(ByteBuffer block) {
      ZstdCompressor compressor = new ZstdCompressor();
      byte[] out = new byte[compressor.maxCompressedLength(block.remaining())];
      int length =
          compressor.compress(
              block.array(),
              block.arrayOffset() + block.position(),
              block.remaining(),
              out,
              0,
              out.length);
      return ByteBuffer.wrap(out, 0, length);
    }

    @Override
    public ByteBuffer decompress(ByteBuffer block) throws IOException {
      // As a stream: what native libraries write does not say how long it is.
      try (InputStream in =
          new ZstdInputStream(
              new ByteArrayInputStream(
                  block.array(), block.arrayOffset() + block.position(), block.remaining()))) {
        return ByteBuffer.wrap(in.readAllBytes());
      }
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Zstandard;
    }

    @Override
    public int hashCode() {
      return getName().hashCode();
    }
  }
}
