/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The checks of {@code evenkey doctor}: {@link io.evenkey.cli.doctor.Doctor} makes them one after
 * the other, and each gives the findings of its subject. A check reads; it changes nothing.
 */
@NullMarked
package io.evenkey.cli.doctor;

import org.jspecify.annotations.NullMarked;
