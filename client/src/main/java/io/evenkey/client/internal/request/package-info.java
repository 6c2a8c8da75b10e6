/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a request of HBase's asks for in addition to its rows and columns, carried to the requests
 * that are made of it: {@link io.evenkey.client.internal.request.RequestSettings} for requests,
 * {@link io.evenkey.client.internal.request.BuilderSettings} for builders. Nothing else in the
 * client copies settings one by one.
 */
@NullMarked
package io.evenkey.client.internal.request;

import org.jspecify.annotations.NullMarked;
