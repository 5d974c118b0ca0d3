// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.apply.source.DockerConfig;
import io.exaplane.apply.source.Login;
import io.exaplane.tuning.model.InvalidInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Who asks registries and Git servers, and what is believed of their answers. */
final class ApplyFetchOptions {
  private static final int MOST_TOKEN = 4096;

  @Option(
      names = "--verify-key",
      paramLabel = "FILE",
      description =
          "Public key of cosign (ECDSA in PEM). Artifacts of oci:// without a signature that fits"
              + " are refused.")
  private Path key;

  @Option(
      names = "--registry-config",
      paramLabel = "FILE",
      description =
          "Logins of registries, as 'docker login' writes them (default: config.json in"
              + " $DOCKER_CONFIG or ~/.docker). Programs that keep logins are not run.")
  private Path logins;

  @Option(
      names = "--git-token-file",
      paramLabel = "FILE",
      description = "File with the token for git+https://.")
  private Path token;

  @Option(
      names = "--source-ca",
      paramLabel = "FILE",
      description =
          "Certificate authorities in PEM for oci:// and git+https://, instead of the runtime's.")
  private Path authorities;

  /** PEM text; empty without the option. */
  String key() {
    return key == null ? "" : TextFiles.readSmall("verify-key", key);
  }

  String authorities() {
    return authorities == null ? "" : TextFiles.readSmall("source-ca", authorities);
  }

  /** The login for one registry; none if no file has one. */
  Login registry(String address) {
    Path file = logins == null ? usual() : logins;
    if (logins == null && !Files.isReadable(file)) {
      return Login.NONE;
    }
    try {
      return DockerConfig.login(TextFiles.readSmall("registry-config", file), address);
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          "registry-config", file.toString(), e.getMessage(), "or name another file");
    }
  }

  private static Path usual() {
    String folder = System.getenv("DOCKER_CONFIG");
    return folder == null || folder.isEmpty()
        ? Path.of(System.getProperty("user.home"), ".docker", "config.json")
        : Path.of(folder, "config.json");
  }

  Login git() {
    if (token == null) {
      return Login.NONE;
    }
    String word = TextFiles.readSmall("git-token-file", token).strip();
    boolean isWord =
        !word.isEmpty()
            && word.length() <= MOST_TOKEN
            && word.chars().allMatch(c -> c > ' ' && c < 0x7f);
    if (!isWord) {
      throw new InvalidInputException(
          "git-token-file", token.toString(), "must hold one word", "write the token alone");
    }
    return new Login("git", word);
  }
}
