// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** 'kubectl explain' of every field is a sentence that helps. */
class DescriptionsTest {
  @Test
  void everyDescriptionHelps(@TempDir Path scratch) throws IOException {
    List<String> faults = new ArrayList<>();
    for (Map.Entry<String, String> file : CrdGenerator.generate(scratch).entrySet()) {
      Descriptions.faults(file.getValue()).forEach(each -> faults.add(file.getKey() + each));
    }
    assertThat(faults).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          {type: string, default: '', description: 'Its name.'}                                                     ~ write a sentence
          {type: string, description: 'A name that has no end. Default: none'}                                      ~ with a period
          {type: integer, description: 'Large values make it slow. Default: 5.'}                                    ~ name the unit
          {type: string, pattern: '^[0-9]{1,4}s$', description: 'Time before an end. Default: 10s.'}                ~ give an example
          {type: string, pattern: '^[1-9][0-9]{0,4}(s|m|h)$', description: 'Time before an end. Default: 10s.'}     ~ give an example
          {type: integer, default: 3, description: 'Number of pods that are kept.'}                                 ~ 'Default: 3'
          {type: integer, description: 'Number of pods that are kept.'}                                             ~ what holds without a value
          {type: boolean, description: 'The pods that are kept. Default: false.'}                                   ~ a verb
          {type: string, enum: [Keep, Drop], description: 'Fate of the pods: Keep or Drop. Default: Keep.'}         ~ the value Drop
          {type: string, enum: [Keep, Drop], description: 'Fate. Keep: they stay as they are. Default: Keep.'}      ~ the value Drop
          """)
  void whatDoesNotHelpIsFound(String field, String fault) throws IOException {
    assertThat(Descriptions.faults(crd("x", field))).anyMatch(each -> each.contains(fault));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      textBlock =
          """
          ages        ~ {type: integer, default: 3, description: 'Number of pods that are kept. Default: 3.'}
          waitSeconds ~ {type: integer, description: 'Longest time before an end. Default: 30.'}
          after       ~ {type: string, pattern: '^[0-9]{1,4}s$', description: 'Time before an end, for example 10s. Default: none.'}
          paused      ~ {type: boolean, description: 'Whether the pods stay as they are. Default: false.'}
          fate        ~ {type: string, enum: [Keep, Drop], description: 'Fate of pods. Keep: they stay as before. Drop deletes them at once. Default: Keep.'}
          """)
  void whatHelpsIsNotFound(String name, String field) throws IOException {
    assertThat(Descriptions.faults(crd(name, field))).isEmpty();
  }

  @Test
  void selectorsAndAddressesWantExamples() throws IOException {
    String field = "{type: array, description: 'Addresses of the pods. Default: all.'}";
    assertThat(Descriptions.faults(crd("podCIDRs", field))).hasSize(1);
    assertThat(Descriptions.faults(crd("names", field))).isEmpty();
  }

  private static String crd(String name, String field) {
    return """
    spec:
      versions:
        - schema:
            openAPIV3Schema:
              properties:
                spec:
                  description: The state that is asked for.
                  type: object
                  properties:
                    %s: %s
    """
        .formatted(name, field);
  }
}
