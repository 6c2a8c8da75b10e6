package io.evenkey.app.bench;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Another system that is compared if its jars are there; found by {@link java.util.ServiceLoader}.
 */
public interface Peer {
  /** What HBase's configuration has to have for it. */
  Map<String, String> settings();

  /** Connects to the HBase that runs. */
  Side connect(Configuration configuration) throws IOException;
}
