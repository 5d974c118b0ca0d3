// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;

/**
 * Keeps Git's settings of the machine and of the user out: they could rewrite addresses, name
 * proxies, or let JGit start the program git to find them. Holds for the whole process.
 */
final class GitIsolation extends SystemReader {
  private final SystemReader machine;

  private GitIsolation(SystemReader machine) {
    this.machine = machine;
  }

  /** May be called often. */
  static synchronized void require() {
    SystemReader now = SystemReader.getInstance();
    if (!(now instanceof GitIsolation)) {
      SystemReader.setInstance(new GitIsolation(now));
    }
  }

  @Override
  public FileBasedConfig openUserConfig(Config parent, FS fs) {
    return new Empty(parent, fs);
  }

  @Override
  public FileBasedConfig openSystemConfig(Config parent, FS fs) {
    return new Empty(parent, fs);
  }

  @Override
  public FileBasedConfig openJGitConfig(Config parent, FS fs) {
    return new Empty(parent, fs);
  }

  @Override
  public String getHostname() {
    return "localhost";
  }

  @Override
  public String getenv(String variable) {
    return null;
  }

  @Override
  public String getProperty(String key) {
    return machine.getProperty(key);
  }

  @Override
  @SuppressWarnings("deprecation") // abstract still
  public long getCurrentTime() {
    return machine.now().toEpochMilli();
  }

  @Override
  @SuppressWarnings("deprecation") // abstract still
  public int getTimezone(long when) {
    return 0;
  }

  /** Settings that stand nowhere. */
  private static final class Empty extends FileBasedConfig {
    Empty(Config parent, FS fs) {
      super(parent, null, fs);
    }

    @Override
    public void load() {
      // There is nothing to read.
    }

    @Override
    public void save() {
      // There is nowhere to write.
    }

    @Override
    public boolean isOutdated() {
      return false;
    }
  }
}
