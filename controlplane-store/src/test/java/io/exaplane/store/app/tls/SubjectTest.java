// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.app.move.MoversAccess;
import io.exaplane.store.wire.page.PageRequest;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the subject of a certificate says, and whom the pages of moves let in by it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SubjectTest {
  private TestAuthority authority;

  @BeforeAll
  void makeAuthority(@TempDir Path folder) throws Exception {
    authority = new TestAuthority(folder);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          CN=operator,O=exaplane:mover               | true
          O=exaplane:mover                           | true
          O=exaplane:mover,O=system:masters          | true
          CN=operator+O=exaplane:mover               | true
          CN=exaplane:mover                          | false
          OU=exaplane:mover                          | false
          CN=operator,O=exaplane:mover2              | false
          CN=operator,O=EXAPLANE:MOVER               | false
          CN=operator,O=exaplane                     | false
          CN="x,O=exaplane:mover"                    | false
          CN=operator                                | false
          """)
  void moversAreKnownByTheirOrganization(String subject, boolean isMover) throws Exception {
    PageRequest request =
        PageRequest.of("GET", "/moves", "", true)
            .by(Optional.of(authority.issue(subject, "client", "").certificate()));
    assertThat(MoversAccess.letsIn(request)).isEqualTo(isMover);
  }
}
