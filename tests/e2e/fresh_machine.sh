#!/usr/bin/env bash
# Usage: tests/e2e/fresh_machine.sh [--keep]
#
# Tries scripts/run and scripts/test as a newcomer does: on a fresh Debian 12, in a clean clone.
#
# Creates that Debian with debootstrap in a temporary folder, from the mirror in this machine's apt configuration, and enters
# it with chroot. --keep leaves the folder in place. Requires root, debootstrap, 3 GB of disk space and half an hour. Tests
# only what is committed. scripts/test does not run this.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
keep=false
[[ ${1:-} != --keep ]] || keep=true

say() { printf '[%4d s] fresh machine: %s\n' "$SECONDS" "$*"; }
die() { say "error: $*" >&2; exit 1; }

((EUID == 0)) || die "this requires root"
command -v debootstrap >/dev/null || die "debootstrap is not installed (apt-get install debootstrap)"

machine=$(mktemp -d "${TMPDIR:-/tmp}/fresh-machine.XXXXXX")
run_pid=''

# Prints the ids of all processes that run inside, except zombies. Their root is the machine's folder.
processes_inside() {
  local process
  for process in /proc/[0-9]*; do
    [[ $(readlink "$process/root" 2>/dev/null) == "$machine"* ]] || continue
    grep -q '^State:[[:space:]]*Z' "$process/status" 2>/dev/null || echo "${process#/proc/}"
  done
}

clean_up() {
  local pid
  trap '' INT TERM
  for pid in $(processes_inside); do kill -KILL "$pid" 2>/dev/null || true; done
  umount --recursive "$machine/proc" "$machine/dev/shm" 2>/dev/null || umount --lazy "$machine"/{proc,dev/shm} 2>/dev/null || true
  if mount | grep -qF " $machine/"; then
    say "could not unmount everything below $machine, so the folder is left in place"
  elif $keep; then
    say "the machine is left in $machine"
  else
    rm -rf --one-file-system "$machine"
  fi
}

# Prints the Debian entries of this machine's apt configuration as lines for sources.list.
debian_sources() {
  # shellcheck disable=SC2016  # apt's variables, not the shell's
  apt-get indextargets --format '$(ORIGIN)|$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(CREATED_BY)' |
    awk -F'|' '$1 == "Debian" && $5 == "Packages" && $3 ~ /^bookworm/ { print "deb " $2 " " $3 " " $4 }' | sort -u
}

make_machine() {
  local sources mirror file
  sources=$(debian_sources)
  mirror=$(awk '$3 == "bookworm" { print $2; exit }' <<<"$sources")
  [[ -n $mirror ]] || die "this machine's apt configuration contains no mirror of bookworm; perhaps 'apt-get update' has never run"
  say "debootstrap of bookworm into $machine"
  debootstrap --variant=minbase bookworm "$machine" "$mirror" >"$machine.log" 2>&1 || { tail "$machine.log"; die "debootstrap failed"; }
  rm "$machine.log"
  echo "$sources" >"$machine/etc/apt/sources.list"
  # The configuration that is necessary to reach the mirror: proxies, names, certificates.
  for file in /etc/apt/apt.conf /etc/apt/apt.conf.d /etc/resolv.conf /etc/hosts /etc/ssl/certs /usr/share/ca-certificates \
    /usr/local/share/ca-certificates; do
    [[ -e $file ]] || continue
    mkdir -p "$machine$(dirname "$file")"
    cp -aL "$file" "$machine$(dirname "$file")/"
  done
  mount -t proc proc "$machine/proc"
  mount -t tmpfs tmpfs "$machine/dev/shm"
  git clone --quiet --no-hardlinks "$root" "$machine/root/winperf_exporter"
}

inside() {
  env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} ${no_proxy:+no_proxy="$no_proxy"} \
    chroot "$machine" /bin/bash -c "cd /root/winperf_exporter && $1"
}

# test_run LIMIT: scripts/run must serve this machine's counters within LIMIT seconds, and end on Ctrl-C.
test_run() {
  local limit=$1 started=$SECONDS address='' output=$machine/root/run.log page=$machine/root/metrics metric status=0
  say "scripts/run"
  : >"$output"
  # With job control, the script gets its own process group, and doesn't ignore SIGINT.
  set -m
  inside 'exec scripts/run' >"$output" 2>&1 </dev/null &
  run_pid=$!
  set +m
  until [[ -n $address ]]; do
    kill -0 "$run_pid" 2>/dev/null || { cat "$output"; die "scripts/run ended unexpectedly"; }
    sleep 0.5
    address=$(grep -om1 'http://127.0.0.1:[0-9]*/metrics' "$output" || true)
  done
  say "serving after $((SECONDS - started)) s (limit $limit s): $address"
  ((SECONDS - started <= limit)) || failures+=("scripts/run took $((SECONDS - started)) s instead of $limit s")

  # Rates need two samples, so the page is complete after one interval.
  for metric in winperf_cpu winperf_memory winperf_process_; do
    for _ in {1..60}; do
      inside "curl --silent --fail $address" >"$page" || true
      grep -q "^$metric" "$page" && break
      sleep 0.5
    done
    grep -q "^$metric" "$page" || failures+=("no $metric in /metrics")
  done
  say "$(grep -c '^winperf_' "$page" || true) series, $(grep -c '^winperf_process_' "$page" || true) of them about processes"

  kill -INT -- "-$run_pid"
  wait "$run_pid" || status=$?
  ((status == 0)) || failures+=("scripts/run ended with exit code $status on Ctrl-C")
  if [[ -n $(processes_inside) ]]; then
    # shellcheck disable=SC2046  # one argument a process
    ps -o pid,args -p $(processes_inside | paste -sd,) || true
    failures+=("scripts/run left processes behind")
  fi
  sed 's/^/    /' "$output"
}

test_suite() {
  local started=$SECONDS
  say "scripts/test"
  inside 'exec scripts/test' </dev/null || failures+=("scripts/test failed")
  say "scripts/test took $((SECONDS - started)) s"
  [[ -z $(processes_inside) ]] || failures+=("scripts/test left processes behind")
}

failures=()
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
make_machine
test_run 480
test_run 20
test_suite
test_suite
((${#failures[@]} == 0)) || die "$(printf '%s; ' "${failures[@]}")"
say "all tests passed"
