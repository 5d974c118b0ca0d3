// SPDX-License-Identifier: Apache-2.0

import io.exaplane.store.app.Main;
import io.exaplane.store.app.StoreConfig;
import io.exaplane.store.app.StoreServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * Many stores in one process, each with a folder, a port and a history of its own: a test that
 * wants an empty store gets it in milliseconds instead of the second and a half that a process
 * takes to start. A connection to the socket is one store: it says the flags in one line, is
 * answered {@code ready}, and ends the store when it is closed, so that no test leaves one behind.
 */
final class Stores {
  private final Path folder;
  private final List<String> everyStore;
  private int started;

  private Stores(Path folder, List<String> everyStore) {
    this.folder = folder;
    this.everyStore = everyStore;
  }

  /** Serves until it is ended: a folder for the socket and the stores, flags of every store. */
  public static void main(String[] arguments) throws IOException {
    Stores stores =
        new Stores(Path.of(arguments[0]), List.of(arguments).subList(1, arguments.length));
    try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      listener.bind(UnixDomainSocketAddress.of(stores.folder.resolve("socket")));
      while (true) {
        SocketChannel connection = listener.accept();
        Path own = stores.nextFolder();
        Thread.ofPlatform().daemon().start(() -> stores.serve(connection, own));
      }
    }
  }

  private Path nextFolder() {
    return folder.resolve("store-" + started++);
  }

  private void serve(SocketChannel connection, Path own) {
    try (connection;
        BufferedReader in =
            new BufferedReader(new InputStreamReader(Channels.newInputStream(connection)));
        PrintStream out = new PrintStream(Channels.newOutputStream(connection), true)) {
      List<String> flags = new ArrayList<>(everyStore);
      flags.addAll(List.of(in.readLine().split(" ")));
      flags.add("--data-dir=" + own);
      StoreServer store;
      try {
        store = StoreServer.start(config(flags));
      } catch (IOException | ReflectiveOperationException | RuntimeException e) {
        e.printStackTrace();
        out.println("not ready: " + e);
        return;
      }
      try (store) {
        out.println("ready");
        while (in.readLine() != null) {
          // Its test goes on.
        }
      }
    } catch (IOException e) {
      System.err.println(own + ": " + e); // the test was killed
    } finally {
      delete(own);
    }
  }

  /** What the store's own command line makes of these flags. */
  private static StoreConfig config(List<String> flags) throws ReflectiveOperationException {
    Main main = new Main();
    new CommandLine(main)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOverwrittenOptionsAllowed(true)
        .parseArgs(flags.toArray(String[]::new));
    Method check = Main.class.getDeclaredMethod("check");
    check.setAccessible(true);
    check.invoke(main);
    Method config = Main.class.getDeclaredMethod("config");
    config.setAccessible(true);
    return (StoreConfig) config.invoke(main);
  }

  private static void delete(Path own) {
    try (Stream<Path> files = Files.walk(own)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      System.err.println(own + ": " + e);
    }
  }
}
