/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.jobs.query.Row;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;

/** One JSON object a line. */
final class JsonLinesOutput implements RowOutput {
  private final ObjectMapper mapper =
      new ObjectMapper().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
  private final Writer out;

  JsonLinesOutput(Writer out) {
    this.out = new BufferedWriter(out, 1 << 16);
  }

  @Override
  public void write(Row row) throws IOException {
    out.write(mapper.writeValueAsString(RowObjects.object(row)));
    out.write('\n');
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
