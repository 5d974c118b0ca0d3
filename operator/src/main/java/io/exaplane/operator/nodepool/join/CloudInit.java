// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

/** The script as user data of cloud-init. Pure. */
public final class CloudInit {
  private CloudInit() {}

  /**
   * User data that writes the script for root alone, and starts it once the network is up.
   *
   * <p>Without systemd the unit is a file that nobody reads, and {@code --undo} deletes it. What
   * cloud-init takes by default, the owner root and the mode 0644, is not said.
   *
   * @param script what {@link JoinScript} rendered
   */
  public static String render(String script) {
    return """
    #cloud-config
    write_files:
      - path: %s
        permissions: '0700'
        encoding: gz+b64
        content: %s
      - path: /etc/systemd/system/%s
        encoding: gz+b64
        content: %s
    runcmd:
      - |
        if [ -d /run/systemd/system ]
        then systemctl daemon-reload && systemctl enable --now --no-block %s
        else sh %s
        fi
    """
        .formatted(
            HostUnit.SCRIPT,
            HostUnit.gzipBase64(JoinScript.compact(script)),
            HostUnit.NAME,
            HostUnit.gzipBase64(HostUnit.text()),
            HostUnit.NAME,
            HostUnit.SCRIPT);
  }
}
