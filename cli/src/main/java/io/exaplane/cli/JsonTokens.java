// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/** JSON; to be made when the parser is at the beginning of a map. */
final class JsonTokens implements Tokens {
  private final JsonParser parser;
  private final ObjectMapper mapper;

  JsonTokens(JsonParser parser, ObjectMapper mapper) {
    this.parser = parser;
    this.mapper = mapper;
  }

  @Override
  public String nextField() throws IOException {
    if (parser.nextToken() == JsonToken.END_OBJECT) {
      return null;
    }
    String name = parser.currentName();
    parser.nextToken();
    return name;
  }

  @Override
  public boolean enterList() {
    return parser.currentToken() == JsonToken.START_ARRAY;
  }

  @Override
  public boolean nextElement() throws IOException {
    return parser.nextToken() != JsonToken.END_ARRAY;
  }

  @Override
  public Object value() throws IOException {
    return mapper.readValue(parser, Object.class);
  }
}
