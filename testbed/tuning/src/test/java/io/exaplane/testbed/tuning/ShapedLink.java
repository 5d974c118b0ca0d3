// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import java.io.IOException;
import java.util.List;

/**
 * A network namespace whose only link to this machine has a limited bandwidth (tc's token bucket
 * filter), and clients in it.
 */
final class ShapedLink implements AutoCloseable {
  /** The address by which the namespace reaches this machine. */
  static final String SERVER = "10.199.7.1";

  private static final long PID = ProcessHandle.current().pid();
  private static final String NAMESPACE = "exaplane-" + PID;
  private static final String OUTSIDE = "exo" + PID;
  private static final String INSIDE = "exi" + PID;

  /** Makes it; needs root. */
  ShapedLink() throws IOException {
    run("ip netns add " + NAMESPACE);
    try {
      run("ip link add " + OUTSIDE + " type veth peer name " + INSIDE);
      run("ip link set " + INSIDE + " netns " + NAMESPACE);
      run("ip addr add " + SERVER + "/24 dev " + OUTSIDE);
      run("ip link set " + OUTSIDE + " up");
      run("ip -n " + NAMESPACE + " addr add 10.199.7.2/24 dev " + INSIDE);
      run("ip -n " + NAMESPACE + " link set " + INSIDE + " up");
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Limits what the namespace gets, in megabytes a second. */
  void limit(int megabytesPerSecond) throws IOException {
    // As much as comes between two of the kernel's looks, a hundredth of a second apart.
    int burstKib = Math.max(64, megabytesPerSecond * 1_000 / 100);
    run(
        "tc qdisc replace dev %s root tbf rate %dmbit burst %dkb latency 400ms"
            .formatted(OUTSIDE, 8 * megabytesPerSecond, burstKib));
  }

  /**
   * Gets a page.
   *
   * @return bytes that came, and seconds that it took
   */
  double[] get(String url, String token, String encoding) throws IOException {
    String[] answer =
        run(List.of(
                "ip",
                "netns",
                "exec",
                NAMESPACE,
                "curl",
                "--silent",
                "--fail",
                "--insecure",
                "--max-time",
                "60",
                "--output",
                "/dev/null",
                "--header",
                "Authorization: Bearer " + token,
                "--header",
                "Accept-Encoding: " + encoding,
                "--write-out",
                "%{size_download} %{time_total} %{time_appconnect}",
                url))
            .split(" ");
    // The handshake is not what is compared.
    return new double[] {
      Double.parseDouble(answer[0]), Double.parseDouble(answer[1]) - Double.parseDouble(answer[2])
    };
  }

  private static String run(String command) throws IOException {
    return run(List.of(command.split(" ")));
  }

  private static String run(List<String> command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    int code = process.onExit().join().exitValue();
    if (code != 0) {
      throw new IOException(String.join(" ", command) + ": " + code + " " + output);
    }
    return output.strip();
  }

  @Override
  public void close() throws IOException {
    run("ip netns del " + NAMESPACE);
  }
}
