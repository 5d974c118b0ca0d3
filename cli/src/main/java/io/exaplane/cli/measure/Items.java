// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * What a list in JSON has, read without keeping it: it may be hundreds of megabytes.
 *
 * @param next where the next page begins; "" behind the last
 */
record Items(long count, String next) {
  private static final JsonFactory JSON = new JsonFactory();

  static long count(byte[] list) {
    return of(list).count();
  }

  static Items of(byte[] list) {
    long count = 0;
    String next = "";
    try (JsonParser parser = JSON.createParser(list)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (name.equals("items") && value == JsonToken.START_ARRAY) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            count++;
            parser.skipChildren();
          }
        } else if (name.equals("metadata") && value == JsonToken.START_OBJECT) {
          next = continuation(parser);
        } else {
          parser.skipChildren();
        }
      }
    } catch (IOException e) {
      throw new MeasurementException("kube-apiserver's list is not valid JSON", e);
    }
    return new Items(count, next);
  }

  private static String continuation(JsonParser parser) throws IOException {
    String next = "";
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (name.equals("continue")) {
        next = parser.getText();
      }
      parser.skipChildren();
    }
    return next;
  }
}
