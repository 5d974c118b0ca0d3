// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.PrintWriter;

/** Answers for machines. */
final class Documents {
  private Documents() {}

  static void print(PrintWriter out, TuneCommand.Format format, Object document) {
    out.print(format == TuneCommand.Format.JSON ? json(document) : yaml(document));
    out.flush();
  }

  static String json(Object document) {
    return write(
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writer(),
            document)
        + "\n";
  }

  static String yaml(Object document) {
    return write(
        YAMLMapper.builder()
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build()
            .writer(),
        document);
  }

  private static String write(ObjectWriter writer, Object document) {
    try {
      return writer.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer that can't be written", e);
    }
  }
}
