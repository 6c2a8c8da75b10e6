/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WarningsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "ts:timestamp + d:string                       | keys begin with ts:timestamp",
        "n:int32 + d:string                            | keys begin with n:int32",
        "n:uint64 + d:string                           | keys begin with n:uint64",
        "n:digits + d:string                           | keys begin with n:digits",
        "t:timestamp(\"yyyyMMdd\") + d:string          | keys begin with t:timestamp",
        "d:date desc + s:string                        | keys begin with d:date desc",
        "phoenix_salt(0) + n:int64                     | keys begin with n:int64",
        "salt(1) + s:string                            | one bucket",
        "salt(4, random) + s:string                    | a Get asks all 4 buckets",
        "salt(4, random) + s:string                    | use a salt without random",
        "hbasewd_salt(4, rotating) + s:string          | use a salt without rotating",
        "hbasewd_salt(4, rotating) + s:string          | a Get asks all 4 buckets",
        "salt(48, t every 1s) + t:timestamp            | has one bucket per slice",
        "md5(s) + s:string                             | not as a range in order",
        "md5(s)[0..1] + s:string                       | has only 16 values",
        "xxh3(s)[0..1]:HEX + s:string                  | has only 16 values",
        "s:string + \"-\" + n:int8                     | s ends at \"-\"",
        "reverse(n:digits(4)) + s:string               | a reversed part has no order",
        "s:string(30000) + t:string(3000)              | rows of at least 33000 bytes",
        "salt(4) + s:string(32767)                     | rows of at least 32768 bytes"
      })
  void layoutWithAWeaknessHasItsWarning(String line, String warning) {
    assertThat(Layout.parse(line).warnings()).anyMatch(said -> said.contains(warning));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "salt(16, d) + d:string + ts:timestamp desc",
        "salt(48, t every 1s; over=6) + t:timestamp",
        "salt(48, d, t every 1h) + d:string + t:timestamp",
        "md5(s)[0..2] + s:string",
        "s:string + n:int64",
        "n:int16 + s:string",
        "s:bytes + \"-\" + n:int8",
        "uuid:uuid",
        "phoenix_salt(20) + a:string",
        "md5(s)[0..3] + s:string",
        "salt(2) + s:string",
        "salt(4) + s:string(32766)"
      })
  void aLayoutWithoutAWeaknessHasNoWarning(String line) {
    assertThat(Layout.parse(line).warnings()).isEmpty();
  }

  @Test
  void theWarningsAndNotesOfALengthAreThese() {
    Layout layout = Layout.parse("s:string");
    assertThat(layout.warnings(100)).isEmpty();
    assertThat(layout.warnings(101)).anyMatch(said -> said.contains("row of 101 bytes"));
    assertThat(layout.warnings(32_767)).noneMatch(said -> said.contains("refuses"));
    assertThat(layout.warnings(32_768)).anyMatch(said -> said.contains("more than 32767"));
    assertThat(Layout.rowLengthNotes(24)).singleElement().asString().contains("24 GB");
    assertThat(Layout.rowLengthNotes(21)).anyMatch(said -> said.contains("3 more bytes"));
    assertThat(Layout.rowLengthNotes(17)).anyMatch(said -> said.contains("7 more bytes"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salt(256, t every 1s; over=6) + t:timestamp   | 256 | 3 | 42 apart | on 1 of 3 servers;"
            + " with 251",
        "salt(16, d; over=4) + d:string                | 16  | 2 | 4 apart  | on 1 of 2 servers;"
            + " with 15",
        "salt(48, d; over=4) + d:string                | 12  | 3 | 12 apart | on 1 of 3 servers;"
            + " with 47"
      })
  void bucketsOfTheSameRowsThatAreOnFewServersAreWarnedOf(
      String line, int regions, int servers, String apart, String on) {
    assertThat(Layout.parse(line).warnings(regions, servers))
        .singleElement()
        .satisfies(warning -> assertThat(warning).contains(apart, on));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salt(6) + k:int64 | 1 | 3 | 2 of the servers get no bucket of salt(6); ask for 3 regions",
        "salt(2) + k:int64 | 2 | 5 | 3 of the servers get no bucket of salt(2); take a salt of 5"
            + " buckets"
      })
  void serversWithoutABucketAreWarnedOf(String line, int regions, int servers, String said) {
    assertThat(Layout.parse(line).warnings(regions, servers))
        .singleElement()
        .asString()
        .contains("regions=" + regions + " servers=" + servers + ": ", said);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salt(48, t every 1s; over=6) + t:timestamp | 48 | 3",
        "salt(16, d; over=4) + d:string             | 16 | 3",
        "salt(16, d; over=4) + d:string             | 16 | 1",
        "salt(16, d) + d:string                     | 16 | 4",
        "salt(16, d; over=4) + d:string             | 5  | 2",
        "d:string                                   | 5  | 2"
      })
  void othersAreNot(String line, int regions, int servers) {
    assertThat(Layout.parse(line).warnings(regions, servers)).isEmpty();
  }
}
