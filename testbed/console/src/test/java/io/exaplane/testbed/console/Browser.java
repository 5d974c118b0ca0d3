// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.console;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Machine;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.ElementNotInteractableException;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Chromium without a window, with the profile of one person. Used by one thread. */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String IN_A_FIELD = "return document.activeElement.tagName === 'INPUT';";

  private final ChromeDriver driver;
  private final List<String> errors = new ArrayList<>();

  Browser() throws IOException {
    ChromeOptions options = new ChromeOptions();
    options.setBinary("/usr/bin/chromium");
    options.setAcceptInsecureCerts(true);
    // The test may be root in a container with little shared memory; nothing leaves the machine.
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        "--window-size=1280,900");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    driver =
        new ChromeDriver(
            new ChromeDriverService.Builder()
                .usingDriverExecutable(new File("/usr/bin/chromedriver"))
                .usingPort(Machine.freePort())
                .withTimeout(PATIENCE)
                .build(),
            options);
    driver.manage().timeouts().scriptTimeout(PATIENCE);
  }

  void open(URI page) {
    driver.get(page.toString());
  }

  /** Types a token and Enter, as somebody without a mouse does. */
  void login(URI page, String token) throws Exception {
    open(page);
    // The field has the focus a while after the page is there.
    Await.until(
        PATIENCE,
        "a field has the focus",
        () -> Boolean.TRUE.equals(driver.executeScript(IN_A_FIELD)),
        () -> text("body"));
    driver.switchTo().activeElement().sendKeys(token, Keys.ENTER);
  }

  /**
   * Presses Tab until the focus is at an element, then Enter. The page may replace an element
   * between two looks at it: then Tab goes on from there.
   */
  void followByKeyboard(String id) {
    for (int i = 0; i < 60; i++) {
      try {
        driver.switchTo().activeElement().sendKeys(Keys.TAB);
        WebElement focused = driver.switchTo().activeElement();
        if (id.equals(focused.getDomAttribute("id"))) {
          focused.sendKeys(Keys.ENTER);
          return;
        }
      } catch (StaleElementReferenceException | ElementNotInteractableException e) {
        // The next round asks for the element that has the focus now.
      }
    }
    throw new AssertionError("Tab never comes to " + id);
  }

  /** The text of an element; "" while it does not exist. */
  String text(String selector) {
    Object text =
        driver.executeScript(
            "const e = document.querySelector(arguments[0]); return e ? e.innerText : '';",
            selector);
    return String.valueOf(text);
  }

  /** Waits until an element has some words. */
  void await(String selector, String words) throws Exception {
    await(PATIENCE, selector, words);
  }

  void await(Duration patience, String selector, String words) throws Exception {
    Await.until(
        patience,
        "%s says '%s'".formatted(selector, words),
        () -> text(selector).contains(words),
        () -> text("body"));
  }

  /** How long an element takes to have some words, from now on. */
  Duration measure(String selector, String words) throws Exception {
    long began = System.nanoTime();
    await(selector, words);
    return Duration.ofNanos(System.nanoTime() - began);
  }

  String source() {
    return driver.getPageSource();
  }

  /** Light or dark, as the person's system asks for. */
  void scheme(String name) {
    driver.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", name))));
  }

  void screenshot(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
  }

  /** What axe finds serious or critical, a line each. */
  List<String> axe() throws IOException {
    driver.executeScript(axeScript());
    @SuppressWarnings("unchecked")
    List<String> found =
        (List<String>)
            driver.executeAsyncScript(
                """
                const done = arguments[arguments.length - 1];
                axe.run(document).then(result => done(result.violations
                  .filter(each => each.impact === 'serious' || each.impact === 'critical')
                  .map(each => each.id + ': ' + each.help + ' at ' + each.nodes.map(node => node.target.join(' ') + ' ' + node.failureSummary).join('; '))),
                  error => done(['axe failed: ' + error]));
                """);
    return found;
  }

  private static String axeScript() throws IOException {
    try (InputStream in = Browser.class.getResourceAsStream("/axe.min.js")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** What scripts and the browser's rules complained of, apart from answers of the server. */
  List<String> errors() {
    for (LogEntry entry : driver.manage().logs().get(LogType.BROWSER)) {
      // The last one is htmx's word for a stream that ended, as that of a page that somebody left.
      boolean isOfNetwork =
          entry.getMessage().contains("Failed to load resource")
              || entry.getMessage().matches(".*/assets/htmx\\.js \\S+ Event");
      if (entry.getLevel().intValue() >= Level.WARNING.intValue() && !isOfNetwork) {
        errors.add(entry.getMessage());
      }
    }
    return errors;
  }

  @Override
  public void close() {
    driver.quit();
  }
}
