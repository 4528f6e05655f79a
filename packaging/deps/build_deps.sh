#!/usr/bin/env bash
# Usage: build_deps.sh native|mingw [--with-tests | --print-prefix | --print-versions | --print-sources]
#
# Builds the libraries of recipe.conf from Debian's source packages into a prefix in the user's cache folder, unless they
# are built already.
#
#   --with-tests      also build the libraries that only the tests need
#   --print-prefix    print the existing prefixes, separated by ";"
#   --print-versions  print name, source package and version of each library in the executable
#   --print-sources   print name and upstream tarball of each library in the executable
#   -h, --help        show this help
#
# Downloads come from the Debian mirror of the machine's own apt configuration, and apt checks signatures and hashes. The
# upstream tarballs are built without Debian's patches. A prefix appears complete, by a rename, or not at all. Runs at the
# same time wait for each other.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
recipe=$here/recipe.conf
toolchain=$here/../cmake/mingw-w64.cmake
cache=${XDG_CACHE_HOME:-$HOME/.cache}/winperf_exporter/deps

say() { printf 'deps: %s\n' "$*" >&2; }
die() { say "error: $*"; exit 1; }
usage() { sed -n '2,15s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }
bad_usage() { printf 'build_deps.sh: %s\n\n' "$1" >&2; usage >&2; exit 2; }

platform=${1:-}
mapfile -t recipe_also < <(find "$here/ports" -type f | sort)
case $platform in
  native) compiler=g++ target_flags=() ;;
  mingw)
    compiler=x86_64-w64-mingw32-g++-posix
    recipe_also+=("$toolchain")
    target_flags=("-DCMAKE_TOOLCHAIN_FILE=$toolchain")
    ;;
  -h | --help) usage; exit 0 ;;
  '') usage >&2; exit 2 ;;
  *) bad_usage "unknown platform '$platform'" ;;
esac
groups=(base) action=build
case ${2:-} in
  '') ;;
  --with-tests) groups+=(tests) ;;
  --print-prefix) action=print ;;
  --print-versions) action=versions ;;
  --print-sources) action=sources ;;
  *) bad_usage "unknown option '$2'" ;;
esac

recipe_hash=$(sha256sum <"$recipe" | cut -c1-12)
platform_hash=$({
  cat "$recipe" "${recipe_also[@]}"
  "$compiler" -dumpfullversion 2>/dev/null || echo none
} | sha256sum | cut -c1-12)
prefixes=$cache/$platform-$platform_hash
sources=$cache/sources-$recipe_hash

# The file .complete lists the libraries that were built: name, source, version.
is_built() { [[ -s $prefixes/$1/.complete ]]; }

# rows GROUP: prints the recipe's rows of a group, without comments and padding.
rows() {
  sed -e '/^#/d' -e 's/ *| */|/g' -e 's/ *$//' "$recipe" | awk -F'|' -v group="$1" '{ sub(/ +$/, "", $1) } $1 == group' OFS='|'
}

# --- fetching -------------------------------------------------------------------------------------------

private_apt() {
  local command=$1
  shift
  "$command" -q -o Dir::Etc::sourcelist="$cache/apt/debian.sources" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::State="$cache/apt/state" -o Dir::State::lists="$cache/apt/lists" -o Dir::Cache="$cache/apt/cache" \
    -o Dir::State::status=/var/lib/dpkg/status -o APT::Sandbox::User="$(id -un)" -o Acquire::Retries=3 "$@"
}

# Prints "mirror|keyring" of the machine's own Debian entry. Apt knows them only after it has fetched the lists.
machine_mirror() {
  # shellcheck disable=SC2016  # apt's variables, not the shell's
  apt-get indextargets "$@" --format '$(LABEL)|$(COMPONENT)|$(REPO_URI)|$(SIGNED_BY)' |
    awk -F'|' '$1 == "Debian" && $2 == "main" && !found { print $3 "|" $4; found = 1 }'
}

# Writes our private sources list: the machine's own Debian mirror, with all suites of the recipe.
write_sources_list() {
  local entry mirror keyring suite lists=(-o "Dir::State::lists=$cache/apt/machine-lists" -o "APT::Sandbox::User=$(id -un)")
  entry=$(machine_mirror)
  if [[ -z $entry ]]; then
    mkdir -p "$cache/apt/machine-lists/partial"
    apt-get -q "${lists[@]}" update >"$sources/update.log" 2>&1 || true
    entry=$(machine_mirror "${lists[@]}")
  fi
  [[ -n $entry ]] || die "this machine's apt configuration contains no Debian mirror (see $sources/update.log)"
  IFS='|' read -r mirror keyring <<<"$entry"
  [[ -f $keyring ]] || keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  [[ -f $keyring ]] || die "$keyring is missing: install debian-archive-keyring"
  mkdir -p "$cache"/apt/{lists/partial,cache/archives/partial,state}
  for suite in $({ rows base; rows tests; } | cut -d'|' -f6 | tr ' ' '\n' | sort -u); do
    printf 'Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n\n' "$mirror" "$suite" "$keyring"
  done >"$cache/apt/debian.sources"
}

# upstream VERSION: prints the upstream part of a Debian version: 0.41.0 for 0.41.0+ds-3~bpo13+1.
upstream() {
  local version=${1#*:}
  version=${version%-*}
  version=${version##*really}
  version=${version#.}
  echo "${version%%[+~]*}"
}

# candidates SOURCE VERSION BELOW SUITES: prints the available Debian versions, those of VERSION first, then newer ones below
# BELOW; within each group in the order of SUITES.
candidates() {
  local listed suite version
  listed=$(private_apt apt-cache madison "$1")
  for suite in $4; do
    awk -F' *[|] *' -v suite="$suite/main" '{ split($3, where, " ") } where[2] == suite { print $2 }' <<<"$listed" |
      sort -rV | while read -r version; do
      if [[ $(upstream "$version") == "$2" ]]; then
        echo "0 $version"
      elif dpkg --compare-versions "$(upstream "$version")" gt "$2" &&
        dpkg --compare-versions "$(upstream "$version")" lt "$3"; then
        echo "1 $version"
      fi
    done
  done | sort -s -n -k 1,1 | awk '!seen[$2]++ { print $2 }'
}

# fetch_one NAME SOURCE VERSION BELOW SUITES: downloads one upstream tarball into $sources/NAME.
fetch_one() {
  local name=$1 version folder=$sources/$1
  [[ -f $folder/version ]] && return
  for version in $(candidates "$2" "$3" "$4" "$5"); do
    rm -rf "$folder"
    mkdir -p "$folder"
    if (cd "$folder" && private_apt apt-get source --download-only --tar-only --only-source "$2=$version") \
      >"$sources/$name.log" 2>&1; then
      echo "$version" >"$folder/version"
      say "fetched $2 $version"
      [[ $(upstream "$version") == "$3" ]] ||
        say "warning: $name $3 can no longer be fetched; update its version in recipe.conf and vcpkg.json"
      return
    fi
    say "$2 $version is listed but cannot be fetched; trying the next version"
  done
  cat "$sources/update.log" "$sources/$name.log" >&2 2>/dev/null || true
  die "cannot fetch any version of $2 from $3 up to, but not including, $4 (suites: $5)"
}

fetch() {
  local name source version below suites complete=true
  mkdir -p "$sources"
  exec 8>"$sources/.lock"
  flock 8
  while IFS='|' read -r _ name _; do
    [[ -f $sources/$name/version ]] || complete=false
  done < <(rows "$1")
  if ! $complete; then
    say "fetching the lists of Debian's source packages"
    write_sources_list
    # A suite that has expired or is gone doesn't matter as long as the others have the packages.
    private_apt apt-get update >"$sources/update.log" 2>&1 ||
      say "some suites could not be read: $(grep '^[EW]:' "$sources/update.log" | head -n 3)"
    while IFS='|' read -r _ name source version below suites _; do
      fetch_one "$name" "$source" "$version" "$below" "$suites"
    done < <(rows "$1")
  fi
  exec 8>&-
}

# tarball NAME: prints the path of the downloaded tarball.
tarball() { find "$sources/$1" -name '*.orig.tar.*' ! -name '*.asc' | head -n 1; }

# --- building -------------------------------------------------------------------------------------------

# build_one NAME FLAGS: builds one library from its tarball and installs it into $install. The caller redirects its output
# to a log.
build_one() {
  local name=$1 flags=$2 started=$SECONDS launcher=()
  local tree=$work/$name
  mkdir -p "$tree/src"
  tar -xf "$(tarball "$name")" -C "$tree/src" --strip-components=1
  [[ ! -d $here/ports/$name ]] || cp -R "$here/ports/$name/." "$tree/src"
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1  # each build has a folder of its own
  fi
  # The flags come from our own recipe and are split on purpose.
  # shellcheck disable=SC2086
  cmake -S "$tree/src" -B "$tree/build" -G Ninja "${target_flags[@]}" "${launcher[@]}" $common_flags $flags \
    -DCMAKE_INSTALL_PREFIX="$install" -DCMAKE_PREFIX_PATH="$install" || return 1
  cmake --build "$tree/build" || return 1
  cmake --install "$tree/build" || return 1
  say "built $name $(<"$sources/$name/version") in $((SECONDS - started)) s" 2>&3
}

# build_group GROUP: builds all libraries of a group, two at a time, into a fresh prefix.
build_group() {
  local group=$1 started=$SECONDS name source needs flags failed=
  declare -A pids=()
  work=$(mktemp -d "$prefixes/.building.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  install=$work/prefix
  common_flags=$(rows all | cut -d'|' -f8)
  while IFS='|' read -r _ name _ _ _ _ needs flags; do
    [[ -z $needs ]] || wait "${pids[$needs]}" || break
    while (($(jobs -rp | wc -l) >= 2)); do wait -n || true; done
    build_one "$name" "$flags" 3>&2 >"$prefixes/$name.log" 2>&1 &
    pids[$name]=$!
  done < <(rows "$group")
  for name in "${!pids[@]}"; do
    wait "${pids[$name]}" || failed+=" $name"
  done
  for name in $failed; do
    say "building $name failed; the end of $prefixes/$name.log:"
    tail -n 40 "$prefixes/$name.log" >&2
  done
  [[ -z $failed ]] || die "these libraries were not built:$failed"
  # The folder is renamed below, so no file may contain its path. CMake's package files needn't, but libdeflate's do.
  rm -rf "${install:?}"/{bin,lib/pkgconfig,share/pkgconfig}
  { grep -rlZ "$install" "$install/lib/cmake" || true; } | xargs -0r sed -i "s|$install|\${_IMPORT_PREFIX}|g"
  rows "$group" | while IFS='|' read -r _ name source _; do
    echo "$name $source $(<"$sources/$name/version")"
  done >"$install/.complete"
  rm -rf "${prefixes:?}/$group"
  mv "$install" "$prefixes/$group"
  rm -rf "$work"
  trap - EXIT
  say "built the $platform $group libraries in $prefixes/$group ($((SECONDS - started)) s)"
}

build() {
  local group
  for group in "${groups[@]}"; do
    is_built "$group" && continue
    command -v "$compiler" >/dev/null || die "$compiler is not installed"
    mkdir -p "$prefixes"
    exec 9>"$prefixes/.lock"
    flock --nonblock 9 || { say "waiting for another run, which is building them"; flock 9; }
    if ! is_built "$group"; then
      fetch "$group"
      say "building the $platform $group libraries"
      build_group "$group"
    fi
    exec 9>&-
  done
}

print_prefix() {
  local group found=()
  for group in base tests; do
    if is_built "$group"; then found+=("$prefixes/$group"); fi
  done
  (IFS=';'; echo "${found[*]}")
}

print_sources() {
  local name file
  while read -r name _; do
    file=$(tarball "$name" 2>/dev/null || true)
    [[ -n $file ]] || die "the source of $name is no longer in $sources; remove $prefixes/base and build again"
    echo "$name $file"
  done <"$prefixes/base/.complete"
}

case $action in
  print) print_prefix ;;
  versions) cat "$prefixes/base/.complete" ;;
  sources) print_sources ;;
  build) build ;;
esac
