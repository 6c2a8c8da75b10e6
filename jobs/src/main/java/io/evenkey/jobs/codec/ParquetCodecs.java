/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.codec;

import com.github.luben.zstd.Zstd;
import io.airlift.compress.Compressor;
import io.airlift.compress.Decompressor;
import io.airlift.compress.lz4.Lz4Compressor;
import io.airlift.compress.lz4.Lz4Decompressor;
import io.airlift.compress.snappy.SnappyCompressor;
import io.airlift.compress.snappy.SnappyDecompressor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * Parquet's codecs by aircompressor and the JDK: Parquet's own call native libraries, of which jars
 * for every system would be shipped. One file's, used by one thread.
 */
public final class ParquetCodecs implements CompressionCodecFactory {
  /** The codec to write with, by Parquet's name. */
  public static CompressionCodecName of(Codec codec) {
    return switch (codec) {
      case NONE -> CompressionCodecName.UNCOMPRESSED;
      case SNAPPY -> CompressionCodecName.SNAPPY;
      case GZIP -> CompressionCodecName.GZIP;
      case ZSTD -> CompressionCodecName.ZSTD;
    };
  }

  /** Whether pages that were written with a codec can be read. */
  public static boolean canRead(CompressionCodecName codec) {
    return switch (codec) {
      case UNCOMPRESSED, SNAPPY, GZIP, ZSTD, LZ4_RAW -> true;
      default -> false;
    };
  }

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    return new Packing(codec, blocks(codec));
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    return new Packing(codec, blocks(codec));
  }

  @Override
  public void release() {
    // Nothing is held.
  }

  private static Blocks blocks(CompressionCodecName codec) {
    return switch (codec) {
      case UNCOMPRESSED -> new Plain();
      case GZIP -> new Gzip();
      case SNAPPY -> new Air(new SnappyCompressor(), new SnappyDecompressor());
      case ZSTD -> new Zstandard();
      case LZ4_RAW -> new Air(new Lz4Compressor(), new Lz4Decompressor());
      default -> throw new IllegalArgumentException("no such codec here: codec=" + codec);
    };
  }

  private sealed interface Blocks {
    BytesInput pack(byte[] plain) throws IOException;

    byte[] unpack(byte[] packed, int size) throws IOException;
  }

  private record Plain() implements Blocks {
    @Override
    public BytesInput pack(byte[] plain) {
      return BytesInput.from(plain);
    }

    @Override
    public byte[] unpack(byte[] packed, int size) {
      return packed;
    }
  }

  private record Gzip() implements Blocks {
    @Override
    public BytesInput pack(byte[] plain) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length / 2);
      try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
        gzip.write(plain);
      }
      return BytesInput.from(out.toByteArray());
    }

    @Override
    public byte[] unpack(byte[] packed, int size) throws IOException {
      try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
        return in.readNBytes(size);
      }
    }
  }

  private record Zstandard() implements Blocks {
    @Override
    public BytesInput pack(byte[] plain) {
      return BytesInput.from(Zstd.compress(plain));
    }

    @Override
    public byte[] unpack(byte[] packed, int size) {
      return Zstd.decompress(packed, size);
    }
  }

  private record Air(Compressor compressor, Decompressor decompressor) implements Blocks {
    @Override
    public BytesInput pack(byte[] plain) {
      byte[] out = new byte[compressor.maxCompressedLength(plain.length)];
      int length = compressor.compress(plain, 0, plain.length, out, 0, out.length);
      return BytesInput.from(out, 0, length);
    }

    @Override
    public byte[] unpack(byte[] packed, int size) {
      byte[] out = new byte[size];
      int length = decompressor.decompress(packed, 0, packed.length, out, 0, size);
      return length == size ? out : Arrays.copyOf(out, length);
    }
  }

  private record Packing(CompressionCodecName codec, Blocks blocks)
      implements BytesInputCompressor, BytesInputDecompressor {
    @Override
    public BytesInput compress(BytesInput bytes) throws IOException {
      return blocks.pack(bytes.toInputStream().readAllBytes());
    }

    @Override
    public BytesInput decompress(BytesInput bytes, int size) throws IOException {
      return BytesInput.from(whole(bytes.toInputStream().readAllBytes(), size));
    }

    @Override
    public void decompress(ByteBuffer in, int packed, ByteBuffer out, int size) throws IOException {
      byte[] bytes = new byte[packed];
      in.get(bytes);
      out.put(whole(bytes, size));
    }

    private byte[] whole(byte[] packed, int size) throws IOException {
      // A page of nulls only, or of no value, may have no byte, packed or not.
      byte[] plain = packed.length == 0 && size == 0 ? packed : blocks.unpack(packed, size);
      if (plain.length != size) {
        throw new IOException(
            "page of another length than its header says: codec="
                + codec
                + " bytes="
                + plain.length
                + " expected="
                + size);
      }
      return plain;
    }

    @Override
    public CompressionCodecName getCodecName() {
      return codec;
    }

    @Override
    public void release() {
      // Nothing is held.
    }
  }
}
