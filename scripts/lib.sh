# What the scripts share: installing packages, building, and Wine. Bash scripts source this file; it does nothing by itself.
# shellcheck shell=bash disable=SC2034  # those scripts use the variables

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/winperf_exporter
jobs=$(nproc)

# Wine without debug messages, without a display, and without offers to install Mono and Gecko.
export WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml,winewayland.drv= WINEARCH=win64
unset DISPLAY WAYLAND_DISPLAY

build_packages=(cmake ninja-build ccache xz-utils bzip2 ca-certificates debian-archive-keyring python3)
# npm fetches uPlot, which draws the page's charts, and esbuild, which packs it; and what opens the page in a browser, or generates a
# client of the API. Another one than Debian's may be there, such as NodeSource's, with which Debian's can't be installed.
npm_packages=(nodejs npm)
! command -v npm >/dev/null || npm_packages=()
mingw_packages=(g++ g++-mingw-w64-x86-64-posix libz-mingw-w64-dev)  # g++ for what runs while it builds
wine_packages=(wine wine64)
msi_packages=(wixl msitools)
native_packages=(g++ zlib1g-dev)
clang_packages=(clang-19 lld-19 libclang-rt-19-dev)  # compiles what has sanitizers or is debugged
# The parser of OpenMetrics judges the page; rules are jsonnet or YAML; completion is tried in real shells; examples are curl's.
test_packages=(python3-prometheus-client jsonnet python3-yaml zsh fish curl)
browser_packages=(chromium)  # opens the page that the exporter serves; its tests are run by npm's node

# The benchmark is built, and so checked, wherever its library is. Only Debian has it as a package, so only natively.
bench_packages=(libbenchmark-dev)

# packages_of PRESET: prints what building it requires.
packages_of() {
  local packages=("${build_packages[@]}")
  case $1 in
    mingw-release) packages+=("${mingw_packages[@]}") ;;
    linux-release) packages+=("${native_packages[@]}") ;;
    *) packages+=("${native_packages[@]}" "${clang_packages[@]}") ;;
  esac
  printf '%s\n' "${packages[@]}"
}

say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }
die() {
  printf '[%4d s] error: %s\n' "$SECONDS" "$*" >&2
  exit 1
}

# --- progress ---

steps=() step='' step_started=0 step_number=0

# in_words SECONDS: prints "45 s" or "3 min 20 s".
in_words() { if (($1 < 60)); then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi; }

# The file with the seconds that a step of this script took when it last succeeded on this machine.
time_of() { echo "$cache/times/${0##*/}/${1//[^A-Za-z0-9]/_}"; }

# announce STEP...: says what the script will do, and how long that took the last time on this machine.
announce() {
  local name file seconds total=0 new=0 list=''
  steps=("$@")
  for name in "$@"; do
    file=$(time_of "$name")
    if [[ -f $file ]]; then
      seconds=$(<"$file")
      total=$((total + seconds))
      list+=", $name ($(in_words "$seconds"))"
    else
      new=$((new + 1))
      list+=", $name"
    fi
  done
  list=${list#, }
  if ((new == $#)); then
    say "$# steps, for the first time on this machine: $list"
  elif ((new)); then
    say "$# steps, $(in_words "$total") the last time without the $new that are new here: $list"
  else
    say "$# steps, $(in_words "$total") the last time on this machine: $list"
  fi
}

# begin STEP: ends the step before it, and says where the script is.
begin() {
  local file
  finish
  step=$1 step_started=$SECONDS step_number=$((step_number + 1))
  file=$(time_of "$step")
  say "step $step_number of ${#steps[@]}: $step$([[ ! -f $file ]] || echo ", $(in_words "$(<"$file")") the last time")"
}

# finish: ends a step that succeeded, and remembers its time.
finish() {
  local file
  [[ -n $step ]] || return 0
  file=$(time_of "$step")
  mkdir -p "${file%/*}"
  echo $((SECONDS - step_started)) >"$file"
  step=''
}

# --- the machine ---

# usage: prints the comment at the top of the script.
usage() { sed -n '2,/^# shellcheck/{/^# shellcheck/!s/^# \{0,1\}//p}' "$0"; }

usage_error() {
  printf '%s: %s\n\n' "${0##*/}" "$*" >&2
  usage >&2
  exit 2
}

# require_value OPTION [VALUE...]
require_value() { (($# > 1)) || usage_error "$1 requires a value"; }

# quietly LOG COMMAND...: runs the command with its output in a log file. If it fails, shows the end of the log and exits.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 60 "$log" >&2
    die "'$*' failed; the complete log is $log"
  fi
}

# meanwhile LOG COMMAND...: runs the command beside what follows, until joined. A script that fails before that waits for it, too.
meanwhile() {
  beside_log=$1
  shift
  mkdir -p "$(dirname "$beside_log")"
  "$@" >"$beside_log" 2>&1 </dev/null &
  beside=$!
  trap 'wait "$beside" || true' EXIT
}

# joined: waits for what runs meanwhile. If it fails, shows the end of its log and exits.
joined() {
  trap - EXIT
  wait "$beside" || {
    tail -n 60 "$beside_log" >&2
    die "what ran meanwhile failed; the complete log is $beside_log"
  }
}

# as_root COMMAND...: runs the command directly if we are root, otherwise through sudo.
as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# missing PACKAGE...: prints the packages that are not installed.
missing() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

# install_packages PACKAGE...: installs the missing packages with apt. Doesn't call apt if none is missing.
install_packages() {
  local wanted
  mapfile -t wanted < <(missing "$@")
  ((${#wanted[@]})) || return 0
  command -v apt-get >/dev/null || die "apt-get is missing, so install the equivalents of these Debian packages yourself: ${wanted[*]}"
  ((EUID == 0)) || command -v sudo >/dev/null || die "packages are missing and sudo is not installed; run once as root: apt-get install ${wanted[*]}"
  say "installing ${wanted[*]}"
  quietly "$cache/log/apt-update.log" as_root apt-get -q -o DPkg::Lock::Timeout=300 update
  quietly "$cache/log/apt-install.log" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "${wanted[@]}"
}

# provide_prometheus: puts prometheus and promtool in PATH. Unpacks the packages instead of installing them, because
# installing them would start a server on this machine.
provide_prometheus() {
  local tools=$cache/prometheus packages=(prometheus) package
  command -v prometheus >/dev/null && command -v promtool >/dev/null && return
  if [[ ! -x $tools/usr/bin/promtool ]]; then
    say "fetching Debian's prometheus"
    rm -rf "$tools"
    mkdir -p "$tools.new"
    [[ -n $(apt-cache madison prometheus) ]] || quietly "$cache/log/apt-update.log" as_root apt-get -q update
    # promtool is a separate package since Debian 13.
    [[ -z $(apt-cache madison promtool) ]] || packages+=(promtool)
    (cd "$tools.new" && quietly "$cache/log/prometheus.log" apt-get -q download "${packages[@]}")
    for package in "$tools.new"/*.deb; do dpkg-deb -x "$package" "$tools.new"; done
    mv "$tools.new" "$tools"
  fi
  export PATH=$PATH:$tools/usr/bin
}

# build_dependencies native|mingw [--with-tests]
build_dependencies() {
  local platform=$1
  shift
  say "dependencies for $platform"
  "$root/packaging/deps/build_deps.sh" "$platform" "$@" 2>&1 | while IFS= read -r line; do say "$line"; done
}

# provide_page_packages: sets page_packages to the packages of exporter/page/package-lock.json, which npm fetches once: uPlot and esbuild.
# Without npm, or if that fails, says so and sets nothing: the page is built without charts, and of many files.
provide_page_packages() {
  local page=$root/exporter/page log=$cache/log/npm-page.log lock folder making
  page_packages=''
  [[ -f $page/package-lock.json ]] || return 0
  lock=$(sha256sum "$page/package-lock.json")
  folder=$cache/page-${lock:0:12}
  if [[ ! -d $folder ]]; then
    say "fetching uPlot and esbuild"
    command -v npm >/dev/null || (install_packages "${npm_packages[@]}") || true
    mkdir -p "$cache/log"
    making=$(mktemp -d "$folder.XXXXXX")
    cp "$page/package.json" "$page/package-lock.json" "$making"
    if ! env -C "$making" timeout 300 npm ci --ignore-scripts --no-audit --no-fund >"$log" 2>&1 </dev/null; then
      say "WARNING: THE PAGE HAS NO CHARTS in this build, because npm could not fetch its packages: see $log"
      rm -rf "$making"
      return 0
    fi
    mv -T "$making" "$folder" 2>/dev/null || rm -rf "$making" # another run was faster
  fi
  page_packages=$folder/node_modules
}

# build_preset PRESET [-DVARIABLE=VALUE...] [TARGET...]: configures and builds, with about ten lines of progress.
build_preset() {
  local preset=$1 log=$cache/log/build-$1.log variables=() targets=()
  shift
  while [[ ${1:-} == -D* ]]; do variables+=("$1") && shift; done
  (($# == 0)) || targets=(--target "$@")
  provide_page_packages
  variables+=("-DWINPERF_PAGE_PACKAGES=$page_packages")
  say "building $preset"
  quietly "$cache/log/configure-$preset.log" env -C "$root" cmake --preset "$preset" "${variables[@]}"
  # Shows a progress line for each tenth of the build; if the build fails, shows its errors.
  if ! env -C "$root" cmake --build --preset "$preset" "${targets[@]}" -- -j "$jobs" 2>&1 |
    tee "$log" | awk -v preset="$preset" -F'[][/]' '
      /^\[[0-9]+\/[0-9]+\]/ { tenth = int(10 * $2 / $3); if (tenth > shown) { shown = tenth; print "         " preset ": " $2 " of " $3; fflush() } }'; then
    local statuses=" ${PIPESTATUS[*]} " again="To repeat: cmake --build --preset $preset${targets[*]:+ ${targets[*]}}"
    # Ctrl-C ends all of them. The log may have any bytes: compilers quote sources.
    if [[ $statuses == *' 130 '* ]] || grep -aq 'interrupted by user' "$log"; then
      say "stopped. $again" >&2
      exit 130
    fi
    grep -aE 'error|warning|undefined|FAILED|^ninja' "$log" | cut -c1-300 | head -n 40 >&2 || tail -n 40 "$log" >&2
    die "building $preset failed; the complete log is $log. $again"
  fi
}

# Of ctest's output, shows every fiftieth passed test and every line that isn't about a passed test.
show_progress() {
  awk '/^ +Start +[0-9]+:/ { next }
    /^ *[0-9]+\/[0-9]+ Test .* Passed / { if (++count % 50 == 0) { print "         " $0; fflush() } next }
    { print; fflush() }'
}

# install_wine NAME: installs Wine and creates the prefix, for who only needs it after a build.
install_wine() {
  install_packages "${wine_packages[@]}"
  prepare_wine "$1"
}

# prepare_wine NAME: exports WINEPREFIX, a private prefix in the cache folder, and creates it if necessary.
prepare_wine() {
  local version
  version=$(wine --version)
  export WINEPREFIX=$cache/wine/$1-${version%% *}
  mkdir -p "$cache/wine"
  exec 9>"$cache/wine/$1.lock"
  flock --nonblock 9 || die "another run is using $WINEPREFIX; stop that run first"
  stop_wine # left over from a run that was killed
  [[ -f $WINEPREFIX/.complete ]] && return
  say "creating a Wine prefix in $WINEPREFIX"
  rm -rf "$WINEPREFIX"
  mkdir -p "$WINEPREFIX"
  quietly "$cache/log/wineboot-$1.log" without_lock wineboot --init
  quietly "$cache/log/wineboot-$1.log" without_lock wineserver --wait
  touch "$WINEPREFIX/.complete"
}

# without_lock COMMAND...: runs a command whose children may outlive us without passing our lock on to them.
without_lock() { "$@" 9>&-; }

# stop_wine: ends everything that still runs in our own prefix, and waits until it has ended.
stop_wine() {
  [[ -n ${WINEPREFIX:-} ]] || return 0
  wineserver --kill 2>/dev/null || true
  wineserver --wait 2>/dev/null || true
}
