/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.jobs.records.CsvSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoPlanTest {
  private static DemoPlan plan(String line, int records, int servers) {
    return DemoPlan.of(Layout.parse(line), records, servers);
  }

  @Test
  void regionsComeOutAsEvenOverTheServersAsTheBucketsAllow() {
    assertThat(plan("salt(18) + n:int64", 150_000, 3).regions()).isEqualTo(18);
    assertThat(plan("salt(16) + n:int64", 150_000, 3).regions()).isEqualTo(16);
    assertThat(plan("salt(16) + n:int64", 2_000, 3).regions()).isEqualTo(3);
    assertThat(plan("salt(15) + n:int64", 10_000, 3).regions()).isEqualTo(3);
    assertThat(plan("salt(15) + n:int64", 20_000, 3).regions()).isEqualTo(15);
    assertThat(plan("salt(16) + n:int64", 150_000, 4).regions()).isEqualTo(16);
    assertThat(plan("md5(n) + n:digits", 150_000, 3).regions() % 3).isZero();
    assertThat(plan("n:int64", 10, 3).regions()).isEqualTo(3);
  }

  @Test
  void aWindowIsShortBesideTheTimeThatAGrowingKeyFillsARegion() {
    DemoPlan plan = plan("salt(18) + n:int64", 150_000, 3);
    assertThat(plan.windowRecords()).isBetween(1000, 1100);
    assertThat(plan.windows(150_000)).isBetween(140, 144);
    assertThat(plan("salt(3) + n:int64", 100, 3).windows(100)).isEqualTo(1);
  }

  @Test
  void aKeyIsTheTimeThenWhatIdentifiesRecords(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("a.csv"), "day,code,n\n2026-01-01,01,5\n2026-01-01,2x,-7\n");
    CsvSource source = CsvSource.of(file);
    assertThat(key(source)).containsExactly("day", "code");
    assertThat(KeyChoice.of(source, List.of("day", "code", "n")).layout())
        .hasToString("day:timestamp + code:string + n:int64");
    assertThat(DemoPlan.spread(KeyChoice.of(source, null).layout(), 3))
        .hasToString("salt(18) + day:timestamp + code:string");
    assertThat(DemoPlan.spread(KeyChoice.of(source, List.of("n")).layout(), 4))
        .hasToString("salt(16) + n:int64");
  }

  private static List<String> key(CsvSource source) throws IOException {
    return KeyChoice.of(source, null).layout().fields().stream().map(Field::name).toList();
  }

  /** Their text sorts by day, whatever the month. */
  @Test
  void datesWithTheDayFirstAreInNoKey(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("a.csv"), "when,device\n31/01/2026 08:30,a\n01/02/2026 08:30,b\n");
    KeyChoice choice = KeyChoice.of(CsvSource.of(file), null);
    assertThat(choice.layout()).hasToString("device:string");
    assertThat(choice.warnings())
        .singleElement()
        .asString()
        .contains("column=when", "the day is first; write them in ISO 8601");
  }

  @Test
  void aRunningNumberIsLastAndOnlyWhereItIsNeeded(@TempDir Path directory) throws IOException {
    Path twice =
        Files.writeString(
            directory.resolve("twice.csv"),
            """
            seq,ts,customer,amount
            1,1700000000000,c1,1.50
            2,1700000000000,c1,2.50
            3,1700000000000,c2,1.50
            """);
    assertThat(DemoPlan.spread(KeyChoice.of(CsvSource.of(twice), null).layout(), 3))
        .hasToString("salt(18) + ts:timestamp + customer:string + seq:int64");
    Path once =
        Files.writeString(
            directory.resolve("once.csv"),
            """
            seq,ts,customer
            1,1700000000000,c1
            2,1700000000000,c2
            3,1700000000001,c1
            """);
    assertThat(key(CsvSource.of(once))).containsExactly("ts", "customer");
    Path timeless =
        Files.writeString(directory.resolve("list.csv"), "n,domain\n1,a.com\n2,b.com\n");
    assertThat(key(CsvSource.of(timeless))).containsExactly("domain");
    Path numbers = Files.writeString(directory.resolve("numbers.csv"), "n\n1\n2\n");
    assertThat(key(CsvSource.of(numbers))).containsExactly("n");
  }
}
