# The documentation as a static site, by MkDocs with pinned packages. Sourced by exa and by the steps of tests.

# ensure_mkdocs sets MKDOCS_HOME to a Python environment with the packages of testbed/site/requirements.txt.
ensure_mkdocs() {
  local requirements=$EXA_HOME/testbed/site/requirements.txt partial
  MKDOCS_HOME=$EXA_CACHE/mkdocs-$(sha256sum "$requirements" | cut -c1-16)
  [ -d "$MKDOCS_HOME" ] && return
  command -v python3 >/dev/null 2>&1 || fail "python3 is missing" "install Python 3.11 or later with venv and pip"
  echo "  · fetching MkDocs" >&2
  partial=$(partial_of "$MKDOCS_HOME") || return
  # Python finds the environment beside itself, so the folder may get another name afterwards.
  { python3 -m venv --without-pip "$partial" && python3 -m pip --python "$partial/bin/python3" install --quiet --disable-pip-version-check --require-hashes --requirement "$requirements"; } >"$EXA_CACHE/mkdocs.log" 2>&1 ||
    fail "MkDocs can't be installed: $(tail -n 1 "$EXA_CACHE/mkdocs.log")" "see $EXA_CACHE/mkdocs.log; Python 3.11 or later needs venv and pip"
  keep_partial "$partial" "$MKDOCS_HOME"
}

cmd_site() {
  [ $# -eq 1 ] || fail "'site' needs the folder to write to; got $# arguments" "for example './exa site /tmp/exaplane-site'"
  [ ! -e "$1" ] || [ -e "$1/sitemap.xml" ] || [ -z "$(ls -A "$1")" ] || fail "folder $1 holds other files, which building the site would delete" "name an empty folder, or one with an earlier site"
  ensure_mkdocs
  "$MKDOCS_HOME/bin/python3" "$EXA_HOME/testbed/site/site.py" "$EXA_HOME" "$1"
}
