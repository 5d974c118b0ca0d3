// Says whether the page is live. The sections themselves are replaced by htmx.
(function () {
  "use strict";
  var words = {
    open: "Live",
    lost: "Connection lost. The page tries again by itself.",
    over: "This page has ended: your session is over, or the control plane no longer exists. Load the page again."
  };
  function say(state) {
    var live = document.getElementById("live");
    if (live.textContent !== words[state]) {
      live.textContent = words[state];
      live.className = state;
    }
  }
  document.addEventListener("htmx:sseOpen", function () { say("open"); });
  document.addEventListener("htmx:sseError", function () { say("lost"); });
  document.addEventListener("htmx:sseClose", function (event) {
    if (event.detail.type === "message") { say("over"); }
  });
  // A table of values that somebody opened stays open when its section is replaced.
  document.addEventListener("htmx:sseBeforeMessage", function (event) {
    event.target.dataset.opened = Array.from(event.target.querySelectorAll("details[open]"), function (each) { return each.id; }).join(" ");
  });
  document.addEventListener("htmx:sseMessage", function (event) {
    (event.target.dataset.opened || "").split(" ").forEach(function (id) {
      var each = id && document.getElementById(id);
      if (each) { each.open = true; }
    });
  });
})();
