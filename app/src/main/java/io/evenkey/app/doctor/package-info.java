/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The checks of {@code evenkey doctor}: {@link io.evenkey.app.doctor.Doctor} makes them one after
 * the other, and each gives the findings of its subject. A check reads; it changes nothing.
 */
@NullMarked
package io.evenkey.app.doctor;

import org.jspecify.annotations.NullMarked;
