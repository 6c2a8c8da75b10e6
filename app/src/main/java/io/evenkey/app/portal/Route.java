package io.evenkey.app.portal;

import io.javalin.http.Handler;
import io.javalin.http.HandlerType;

/**
 * One route of the API.
 *
 * @param method of HTTP; all but GET change something
 * @param path with parameters in braces
 * @param handler what answers
 */
record Route(HandlerType method, String path, Handler handler) {
  static Route get(String path, Handler handler) {
    return new Route(HandlerType.GET, path, handler);
  }

  static Route post(String path, Handler handler) {
    return new Route(HandlerType.POST, path, handler);
  }

  static Route put(String path, Handler handler) {
    return new Route(HandlerType.PUT, path, handler);
  }

  static Route delete(String path, Handler handler) {
    return new Route(HandlerType.DELETE, path, handler);
  }
}
