/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.jruby.embed.LocalContextScope;
import org.jruby.embed.ScriptingContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The classes behind the commands of HBase's shell, on a salted table. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ShellIT {
  private static final String LAYOUT = "salt(4) + key:bytes";

  private static final String COMMANDS =
      """
      $LOAD_PATH.unshift 'uri:classloader:/'
      require 'hbase_constants'
      require 'hbase/hbase'
      require 'hbase/table'
      include HBaseConstants

      hbase = Hbase::Hbase.new(CONFIGURATION)
      hbase.admin.create('shell', {'NAME' => 'd'})
      table = hbase.table('shell', nil)
      20.times { |i| table._put_internal(format('r%02d', i), 'd:q', "v#{i}") }
      table._put_internal('r03', 'd:other', 'more')
      table._deleteall_internal('r04')
      table._delete_internal('r03', 'd:other')
      table._incr_internal('counter', 'd:n', 3)
      table._append_internal('r05', 'd:q', '!')
      scan = lambda do |options|
        rows = []
        table._scan_internal(options) { |row, cells| rows << row }
        rows.join(',')
      end
      [
        table._count_internal,
        scan.call({}),
        scan.call({'STARTROW' => 'r07', 'STOPROW' => 'r10'}),
        scan.call({'LIMIT' => 3, 'REVERSED' => true}),
        scan.call({'ROWPREFIXFILTER' => 'r1', 'LIMIT' => 2}),
        scan.call({'FILTER' => "PrefixFilter('r18') OR PrefixFilter('r06')"}),
        table._get_internal('r03').keys.join(','),
        table._get_internal('r05', 'd:q')['d:q'].to_s[/value=.*/],
        table._get_counter_internal('counter', 'd:n'),
        table._get_splits_internal.size
      ].map(&:to_s)
      """;

  @Test
  @SuppressWarnings("unchecked")
  void commandsSeeLogicalKeys(EmbeddedHBase hbase) throws IOException {
    Configuration configuration = hbase.configuration();
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyConnection.DEFAULT_LAYOUT, LAYOUT);
    ScriptingContainer ruby = new ScriptingContainer(LocalContextScope.SINGLETHREAD);
    List<String> answers;
    try {
      ruby.put("CONFIGURATION", configuration);
      answers = new ArrayList<>((List<String>) ruby.runScriptlet(COMMANDS));
    } finally {
      ruby.terminate();
    }
    assertThat(answers)
        .containsExactly(
            "20",
            "counter,r00,r01,r02,r03,r05,r06,r07,r08,r09,r10,r11,r12,r13,r14,r15,r16,r17,r18,r19",
            "r07,r08,r09",
            "r19,r18,r17",
            "r10,r11",
            "r06,r18",
            "d:q",
            "value=v5!",
            "3",
            "3");

    configuration.unset(EvenkeyConnection.SETTING);
    List<String> stored = new ArrayList<>();
    Layout layout = Layout.parse(LAYOUT);
    try (Connection plain = ConnectionFactory.createConnection(configuration);
        Table table = plain.getTable(TableName.valueOf("shell"));
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        stored.add(Bytes.toString(layout.logical(row.getRow())));
        assertThat(layout.physical(layout.logical(row.getRow()))).isEqualTo(row.getRow());
      }
    }
    assertThat(stored).hasSize(20);
  }
}
