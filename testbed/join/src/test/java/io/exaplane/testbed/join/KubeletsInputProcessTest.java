// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many kubelets are refused what cannot be: field, value, rule and next action, and no change. */
class KubeletsInputProcessTest {
  @TempDir static Path folder;

  /** As much of a join script as is read before a host begins. */
  @BeforeAll
  static void write() throws IOException {
    Files.writeString(folder.resolve("join.sh"), "PREFIX_LENGTH='64'\n: lib-ends\n");
    Files.writeString(folder.resolve("allocator.sh"), "PREFIX_LENGTH=''\n: lib-ends\n");
    Files.writeString(folder.resolve("long.sh"), "PREFIX_LENGTH='120'\n: lib-ends\n");
    Files.writeString(folder.resolve("other.sh"), "echo hello\n");
    Path programs = Files.createDirectory(folder.resolve("programs"));
    for (String program : List.of("kubelet", "kube-proxy")) {
      Files.createSymbolicLink(programs.resolve(program), Path.of("/bin/true"));
    }
    Files.createDirectory(folder.resolve("full"));
    Files.writeString(folder.resolve("full/file"), "somebody else's");
  }

  private static Shell.Result run(String path, List<String> shell, List<String> options)
      throws IOException {
    List<String> words = new ArrayList<>(shell);
    words.add(ManyKubelets.SCRIPT.toString());
    options.forEach(option -> words.add(option.replace("@", folder.toString())));
    return Shell.run(words, Map.of("PATH", path));
  }

  private static String programs() {
    return folder.resolve("programs") + ":" + System.getenv("PATH");
  }

  private static void refused(Shell.Result run, String words, String action) {
    assertThat(run.exit()).as(run.text()).isEqualTo(2);
    assertThat(run.text()).startsWith("error: " + words).contains(action);
    assertThat(run.text().lines().count()).as(run.text()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          --count=0                               | --count: '0' must be from 1 to 1000; | name the number
          --count=1001                            | --count: '1001' must be from 1 to 1000; | name the number
          --count=ten                             | --count: 'ten' must be a number from 1 to 1000; | name the number
          --index=-1                              | --index: '-1' must be a number from 0 to 99999; | name the number
          --at-once=0                             | --at-once: '0' must be from 1 to 1000; | name the number
          --prefix=                               | --prefix: '' must be an IPv6 network; | name one
          --prefix=10.0.0.0/8                     | --prefix: '10.0.0.0/8' must be an IPv6 network; | name one
          --prefix=fd00::1/64                     | --prefix: 'fd00::1/64' has bits behind its length; | name the network
          --prefix=fd00::/62                      | --prefix: 'fd00::/62' must have 11 networks of the pool's podPrefixLength 64 | name a shorter prefix
          --prefix=fd00::/60 --index=1            | --prefix: 'fd00::/60' must have 22 networks of the pool's podPrefixLength 64 | --index
          --name=Nodes                            | --name: 'Nodes' must have lower-case letters | --name
          --folder=/var/hosts                     | --folder: '/var/hosts' must not be below /etc, /var, /run | another folder
          --folder=hosts                          | --folder: 'hosts' must begin with /; | the whole path
          --folder=@/full                         | --folder: '@/full' must be empty; | another folder
          --images=@/none                         | --images: '@/none' must be a folder | create the folder
          --join=@/none.sh                        | --join: '@/none.sh' must be the join script of a NodePool; | mount the Secret
          --join=@/other.sh                       | --join: '@/other.sh' must be the whole join script | unedited
          --join=@/allocator.sh                   | --join: '@/allocator.sh' must belong to a pool whose hosts bring prefixes; | spec.addresses
          --join=@/long.sh                        | --join: '@/long.sh' belongs to a pool with the podPrefixLength 120; | shorter podPrefixLength
          --nodes=3                               | option: '--nodes=3' is unknown; | --help
          --prefix                                | option: '--prefix' needs a value; | --help
          """)
  void badInputIsNamed(String options, String words, String action) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of("--prefix=fd00::/48", "--name=exj-in", "--join=@/join.sh", "--folder=@/new"));
    all.addAll(List.of(options.split(" ")));
    refused(run(programs(), List.of("sh"), all), words.replace("@", folder.toString()), action);
    assertThat(folder.resolve("new")).doesNotExist();
    assertThat(folder.resolve("full/file")).exists();
  }

  @Test
  void onlyRootMayMakeHosts() throws Exception {
    refused(
        run(
            programs(),
            // Another user may not reach the file by its path.
            List.of(
                "sh",
                "-c",
                "exec 3<\"$1\"; shift;"
                    + " exec setpriv --reuid=65534 --clear-groups sh /dev/fd/3 \"$@\"",
                "sh"),
            List.of("--prefix=fd00::/48")),
        "user: '65534' must be 0",
        "privileged");
  }

  @Test
  void aMissingProgramIsNamed() throws Exception {
    refused(
        run(System.getenv("PATH"), List.of("sh"), List.of("--prefix=fd00::/48")),
        "PATH: '",
        "has no kubelet; install it, or use the image");
  }
}
