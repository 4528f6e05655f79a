# What scripts/run and scripts/test share: installing, building, Wine. Sourced by bash, not run.
# shellcheck shell=bash disable=SC2034  # what is defined here is used there

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/winperf_exporter
jobs=$(nproc)

# Wine without its messages, without a display, and without the offers to install Mono and Gecko.
export WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= WINEARCH=win64
unset DISPLAY WAYLAND_DISPLAY

build_packages=(cmake ninja-build xz-utils ca-certificates debian-archive-keyring python3)
mingw_packages=(g++-mingw-w64-x86-64-posix libz-mingw-w64-dev wine wine64 wixl msitools)
native_packages=(g++ zlib1g-dev)

say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }
die() {
  printf '[%4d s] error: %s\n' "$SECONDS" "$*" >&2
  exit 1
}

# quietly LOG COMMAND...: runs it with its output in a file, whose end is shown when it fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1 </dev/null; then
    tail -n 60 "$log" >&2
    die "'$*' failed (all of it: $log)"
  fi
}

# as_root COMMAND...: directly, or by sudo where there is one.
as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

# missing PACKAGE...: those of them that are not installed.
missing() {
  local package
  for package in "$@"; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
  done
}

# install_packages PACKAGE...: by apt, only what is missing; without a missing one apt is not even called.
install_packages() {
  local wanted
  mapfile -t wanted < <(missing "$@")
  ((${#wanted[@]})) || return 0
  command -v apt-get >/dev/null || die "this needs Debian's packages ${wanted[*]}, and here is no apt-get"
  ((EUID == 0)) || command -v sudo >/dev/null || die "run as root, once: apt-get install ${wanted[*]}"
  say "installing ${wanted[*]}"
  quietly "$cache/log/apt-update.log" as_root apt-get -q -o DPkg::Lock::Timeout=300 update
  quietly "$cache/log/apt-install.log" as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends "${wanted[@]}"
}

# provide_prometheus: prometheus and promtool in PATH. The packages are unpacked, not installed, because
# installing them would start a server on this machine.
provide_prometheus() {
  local tools=$cache/prometheus packages=(prometheus) package
  command -v prometheus >/dev/null && command -v promtool >/dev/null && return
  if [[ ! -x $tools/usr/bin/promtool ]]; then
    say "fetching Debian's prometheus"
    rm -rf "$tools"
    mkdir -p "$tools.new"
    [[ -n $(apt-cache madison prometheus) ]] || quietly "$cache/log/apt-update.log" as_root apt-get -q update
    # A package of its own since Debian 13.
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

# build_preset PRESET [TARGET...]: configures and builds, one line of progress at a time.
build_preset() {
  local preset=$1 log=$cache/log/build-$1.log targets=()
  shift
  (($# == 0)) || targets=(--target "$@")
  say "building $preset"
  quietly "$cache/log/configure-$preset.log" env -C "$root" cmake --preset "$preset"
  # A progress line every now and then, errors in full.
  if ! env -C "$root" cmake --build --preset "$preset" "${targets[@]}" -- -j "$jobs" 2>&1 |
    tee "$log" | awk -v preset="$preset" -F'[][/]' '
      /^\[[0-9]+\/[0-9]+\]/ { tenth = int(10 * $2 / $3); if (tenth > shown) { shown = tenth; print "         " preset ": " $2 " of " $3; fflush() } }'; then
    grep -E 'error|warning|undefined|FAILED|^ninja' "$log" | cut -c1-300 | head -n 40 >&2 || tail -n 40 "$log" >&2
    die "building $preset failed (all of it: $log)"
  fi
}

# prepare_wine NAME: exports WINEPREFIX, a private one in the cache folder, made if it isn't there yet.
prepare_wine() {
  local version
  version=$(wine --version)
  export WINEPREFIX=$cache/wine/$1-${version%% *}
  mkdir -p "$cache/wine"
  exec 9>"$cache/wine/$1.lock"
  flock --nonblock 9 || die "another run uses $WINEPREFIX; stop that one first"
  stop_wine # what a run left behind that was killed
  [[ -f $WINEPREFIX/.complete ]] && return
  say "making a Wine prefix in $WINEPREFIX"
  rm -rf "$WINEPREFIX"
  mkdir -p "$WINEPREFIX"
  quietly "$cache/log/wineboot-$1.log" without_lock wineboot --init
  quietly "$cache/log/wineboot-$1.log" without_lock wineserver --wait
  touch "$WINEPREFIX/.complete"
}

# without_lock COMMAND...: a command whose children may outlive us, and must not keep our lock with them.
without_lock() { "$@" 9>&-; }

# stop_wine: ends everything that still runs in our own prefix, and waits until it is gone.
stop_wine() {
  [[ -n ${WINEPREFIX:-} ]] || return 0
  wineserver --kill 2>/dev/null || true
  wineserver --wait 2>/dev/null || true
}
