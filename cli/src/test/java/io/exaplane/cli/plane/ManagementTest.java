// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which refusals are about rights, so that a command may go on without the answer. */
class ManagementTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "pods is forbidden: User \"u\" cannot list resource \"pods\" in API group \"\" | list | true",
        "pods \"a\" is forbidden: User \"a \\\"b\\\"\" cannot get resource \"pods\" | get | true",
        "forbidden: User \"u\" cannot get path \"/version\" | get | true",
        "pods is forbidden: User \"u\" cannot list resource \"pods\" in API group \"\" | delete | false",
        "admission webhook \"w\" denied the request: you cannot delete that | delete | false",
        "pods \"a\" is forbidden: ValidatingAdmissionPolicy 'p' denied request: users cannot patch it | patch | false",
      })
  void onlyTheServersOwnWordsAreAboutRights(String words, String verb, boolean isAboutRight) {
    assertThat(Management.isAboutRight(words, verb)).isEqualTo(isAboutRight);
  }
}
