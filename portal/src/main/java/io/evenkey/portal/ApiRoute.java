/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

/**
 * One route of the API.
 *
 * @param method the HTTP method; all methods except GET change something
 * @param path the path, with parameters in braces
 * @param handler answers the request
 */
record ApiRoute(HandlerType method, String path, Handler handler) {
  static ApiRoute get(String path, Handler handler) {
    return new ApiRoute(HandlerType.GET, path, handler);
  }

  static ApiRoute post(String path, Handler handler) {
    return new ApiRoute(HandlerType.POST, path, handler);
  }

  static ApiRoute put(String path, Handler handler) {
    return new ApiRoute(HandlerType.PUT, path, handler);
  }

  static ApiRoute delete(String path, Handler handler) {
    return new ApiRoute(HandlerType.DELETE, path, handler);
  }
}
