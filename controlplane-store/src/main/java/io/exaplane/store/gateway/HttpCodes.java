// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import io.netty.handler.codec.http.HttpResponseStatus;

/** Status codes of HTTP for those of gRPC, as grpc-gateway has them (google/rpc/code.proto). */
final class HttpCodes {
  private HttpCodes() {}

  static HttpResponseStatus of(int code) {
    return HttpResponseStatus.valueOf(
        switch (code) {
          case 0 -> 200;
          case 1 -> 499;
          case 3, 9, 11 -> 400;
          case 4 -> 504;
          case 5 -> 404;
          case 6, 10 -> 409;
          case 7 -> 403;
          case 8 -> 429;
          case 12 -> 501;
          case 14 -> 503;
          case 16 -> 401;
          default -> 500;
        });
  }
}
