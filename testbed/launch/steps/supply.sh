# Steps about what other projects give to our programs, and whether a build can be repeated. Sourced by steps.sh.
. "$EXA_HOME/testbed/launch/supply.sh"

step_licences() { libraries check; }

# The images of store and scheduler, built twice in folders with other names, in other time zones. The second build gets the lists of classes of the first, as a reader of the images has them.
step_images_twice() {
  local folder status=0
  folder=$(mktemp -d)
  build_testbed
  testbed with-registry bash "$EXA_HOME/testbed/launch/steps.sh" images_twice "$folder" || status=$?
  rm -rf "$folder"
  return $status
}

images_twice() { # FOLDER
  build_images "$1/one" "$1/cache-one" one
  (TZ=Pacific/Kiritimati LANG=C.UTF-8 EXA_CLASSES=$1/cache-one build_images "$1/two/below/another" "$1/cache-two" two)
  local image
  for image in store scheduler; do
    if diff "$1/one/$image" "$1/two/below/another/$image"; then
      echo "--- PASS: $image (0.0s)"
    else
      echo "--- FAIL: $image (0.0s)"
    fi
  done | tee "$EXA_REPORTS/images.gotest"
  ! grep -q FAIL "$EXA_REPORTS/images.gotest"
}

build_images() { # FOLDER CACHE NAME
  mkdir -p "$1" "$2"
  (cd "$EXA_HOME" && git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null | tar --create --files-from=- --file=-) | tar --extract --no-same-permissions --directory="$1"
  EXA_HOME=$1 EXA_CACHE=$2 bash "$1/testbed/launch/steps.sh" push_programs "$EXA_REGISTRY/$3"
  local image
  for image in store scheduler; do
    testbed image show "$EXA_REGISTRY/$3/$image:1" >"$1/$image"
  done
}

push_programs() { # PREFIX
  build_testbed
  push_store_image "$1/store:1"
  push_scheduler_image "$1/scheduler:1"
}
