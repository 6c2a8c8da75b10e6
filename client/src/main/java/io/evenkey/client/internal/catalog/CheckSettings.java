/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/**
 * The comparison of a table's rows with its layout when a connection first uses the table.
 * Immutable.
 *
 * @param when when that is done
 * @param buckets of how many buckets the first row is looked at
 * @param sample the number of rows that are read, about, if one of those does not fit the layout
 * @param refuseShare the share of these rows, from 0 to 1, above which the layout is taken to be
 *     wrong, and the table refused
 */
public record CheckSettings(When when, int buckets, int sample, double refuseShare) {
  /** When the layout of a table is checked. */
  public enum When {
    /** With the rows only, after the first operation has begun; a wrong layout fails later ones. */
    BACKGROUND,
    /** With the registry and the rows, before the first operation. */
    FIRST,
    /** Never. */
    OFF
  }

  /** Configuration key: {@code background} (the default), {@code first} or {@code off}. */
  public static final String WHEN = Setting.CHECK.key();

  /** Configuration key: of how many buckets a row is checked when a table is first used. */
  public static final String BUCKETS = Setting.CHECK_ROWS.key();

  /** Configuration key: how many rows are checked if one of the first ones does not fit. */
  public static final String SAMPLE = Setting.CHECK_SAMPLE.key();

  /** Configuration key: the share of rows that do not fit above which a table is refused. */
  public static final String REFUSE_SHARE = Setting.CHECK_REFUSE_SHARE.key();

  /** Checks the numbers. */
  public CheckSettings {
    if (buckets < 0) {
      throw outOfRange(BUCKETS, buckets, "give 0 or more; with 0 no row is looked at");
    } else if (sample < 1) {
      throw outOfRange(SAMPLE, sample, "give 1 or more");
    } else if (!(refuseShare >= 0 && refuseShare <= 1)) {
      throw outOfRange(REFUSE_SHARE, refuseShare, "give 0 to 1; with 1 no table is refused");
    }
  }

  private static IllegalArgumentException outOfRange(String key, Number value, String remedy) {
    return new EvenkeyArgumentException(
        "setting out of range: " + key + "=" + value + "; " + remedy);
  }

  private static When when(String setting) {
    try {
      return When.valueOf(setting.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new EvenkeyArgumentException(
          "unknown time of the check: "
              + WHEN
              + "="
              + setting
              + "; expected background, first or off",
          e);
    }
  }

  /**
   * Reads the settings of a configuration.
   *
   * @throws IllegalArgumentException if a number is out of range
   */
  public static CheckSettings of(Configuration configuration) {
    return new CheckSettings(
        when(Setting.CHECK.text(configuration)),
        Setting.CHECK_ROWS.integer(configuration),
        Setting.CHECK_SAMPLE.integer(configuration),
        Setting.CHECK_REFUSE_SHARE.share(configuration));
  }

  /**
   * Whether rows are evidence that the layout is wrong.
   *
   * @param rows the number of rows that were read
   * @param foreign the number of those that do not fit the layout
   */
  public boolean refuses(int rows, int foreign) {
    return foreign > refuseShare * rows;
  }
}
