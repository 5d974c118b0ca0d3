#!/usr/bin/env python3
"""Builds the documentation as a static site: site.py ROOT OUT. Needs the packages of requirements.txt.

The pages are the Markdown files of the repository, in their own folders, so that their links stay true. The order is the one of the
tables in docs/README.md: a page that no table names, and that no other group takes, fails the build.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LINK = re.compile(r"\]\(([^)#\s]+)")
HEAD = "docs/README.md"
LEAST_PAGES = 60


def tracked(root):
    listed = subprocess.run(
        ["git", "-C", root, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True
    )
    return {name for name in listed.stdout.splitlines() if (root / name).is_file()}


def targets(root, page):
    """What the links of a page lead to, as names of the repository; outside links left out."""
    folder = (root / page).parent
    for target in LINK.findall((root / page).read_text()):
        if "://" not in target and not target.startswith("mailto:"):
            yield (folder / target).resolve().relative_to(root).as_posix()


def assemble(root, out):
    """Copies the pages, and the files that they link to."""
    files = tracked(root)
    pages = sorted(name for name in files if name.endswith(".md"))
    wanted = set(pages)
    for page in pages:
        wanted.update(target for target in targets(root, page) if target in files)
    for name in sorted(wanted):
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, out / name)
    # A link to a folder shows what is in it, as the places that show the repository do.
    for page in list(pages):
        for target in targets(root, page):
            folder = out / target
            if (root / target).is_dir() and not (folder / "README.md").exists():
                pages.append(listing(root, out, target, files))
    return pages


def listing(root, out, target, files):
    folder = out / target
    folder.mkdir(parents=True, exist_ok=True)
    inside = sorted(name for name in files if name.startswith(target.rstrip("/") + "/"))
    for name in inside:
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, out / name)
    lines = [f"- [{name[len(target) + 1:]}]({name[len(target) + 1:]})" for name in inside]
    (folder / "README.md").write_text(f"# {target}\n\n" + "\n".join(lines) + "\n")
    return f"{target}/README.md"


def linked_folders(out):
    """A link to a folder becomes one to the page of the folder."""
    for page in out.rglob("*.md"):
        text = page.read_text()

        def fixed(match):
            target = match.group(1)
            if "://" in target or not (page.parent / target).is_dir():
                return match.group(0)
            return f"]({target.rstrip('/')}/README.md"

        page.write_text(LINK.sub(fixed, text))


def order(root, pages):
    """The groups of the site: by the tables of docs/README.md, then what is left, by folder."""
    tables = (root / HEAD).read_text().split("| page |")
    left = [page for page in pages if page not in ("README.md", HEAD)]

    def take(names):
        taken = []
        for name in names:
            if name in left:
                left.remove(name)
                taken.append(name)
        return taken

    def of(table):
        return take("docs/" + target for target in LINK.findall(table))

    groups = [("In an incident", of(tables[0]) + of(tables[1])), ("Tasks", of(tables[2])), ("Reference", of(tables[3]))]
    for name, choose in (
        ("Runbooks", lambda page: page.startswith("docs/runbooks/")),
        ("Reports", lambda page: page.startswith("docs/reports/")),
        ("Design", lambda page: page.endswith("DESIGN.md")),
        ("Folders", lambda page: page.endswith("/README.md")),
        ("Project", lambda page: "/" not in page),
        ("More", lambda page: not page.startswith("docs/")),
    ):
        groups.append((name, take([page for page in left if choose(page)])))
    if left:
        sys.exit(f"no table of {HEAD} names {', '.join(left)}: add a row for each page")
    return [{"Exaplane": "README.md"}, {"All pages": HEAD}] + [{name: group} for name, group in groups if group]


def main():
    root, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    import yaml

    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "pages"
        pages = assemble(root, source)
        linked_folders(source)
        config = {
            "INHERIT": str(root / "testbed/site/mkdocs.yml"),
            "docs_dir": str(source),
            "site_dir": str(out),
            "nav": order(root, list(dict.fromkeys(pages))),
        }
        file = pathlib.Path(folder) / "mkdocs.yml"
        file.write_text(yaml.safe_dump(config, sort_keys=False))
        run = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", f"--config-file={file}"], capture_output=True, text=True
        )
        if run.returncode != 0:
            # Quietly, MkDocs does not count warnings.
            sys.exit("\n".join(line for line in run.stderr.splitlines() if not line.startswith("INFO")))
    built = sum(1 for _ in out.rglob("index.html"))
    if built < LEAST_PAGES:
        sys.exit(f"{built} pages were built, and there are more")
    print(f"{built} pages in {out}")


main()
