#!/usr/bin/env bash
# Usage: tests/e2e/fresh_machine.sh [--keep] [--limits] [simulated | run | test | quick]...
#
# Tries scripts/run and scripts/test as a newcomer does: on a fresh Debian 12, in a clean clone. Prints the processor time of all
# that a command started, apt and the libraries included, and the time that passed. By default tries everything in this order:
#
#   simulated   scripts/run --simulated, until it serves, and a second time
#   run         the same of scripts/run
#   test        scripts/test, and a second time, with the caches of the first
#   quick       scripts/test --quick, twice
#
# A command that stands alone has to install everything by itself. Fails if one takes more processor time than it
# should (below); with --limits, the time that passes counts, too, which wants a machine of two processors with nothing else to do.
#
# Creates that Debian with debootstrap in a temporary folder, with git besides, from the mirror in this machine's apt configuration, and enters
# it with chroot. --keep leaves the folder in place. Requires root, debootstrap, a control group for processor time, 6 GB of disk
# space and an hour. Tests only what is committed. scripts/test does not run this. With WINPERF_CAPTURES, the recordings of that
# folder are beside the clone, as the tests look for them.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
keep=false limits=false wanted=()
for argument; do
  case $argument in
    --keep) keep=true ;;
    --limits) limits=true ;;
    simulated | run | test | quick) wanted+=("$argument") ;;
    *) sed -n '2,/^set /{/^set /!s/^# \{0,1\}//p}' "$0" >&2 && exit 2 ;;
  esac
done
((${#wanted[@]})) || wanted=(simulated run test quick)

say() { printf '[%4d s] fresh machine: %s\n' "$SECONDS" "$*"; }
die() { say "error: $*" >&2; exit 1; }

((EUID == 0)) || die "this requires root"
command -v debootstrap >/dev/null || die "debootstrap is not installed (apt-get install debootstrap)"

machine=$(mktemp -d "${TMPDIR:-/tmp}/fresh-machine.XXXXXX")
group=''
run_pid=''

# A control group counts the processor time of processes that nothing waited for, too. Version 1 of them has a file of its own.
make_group() {
  if [[ -w /sys/fs/cgroup/cpuacct ]]; then
    group=/sys/fs/cgroup/cpuacct/${machine##*/}
  else
    group=/sys/fs/cgroup/${machine##*/}
  fi
  mkdir "$group" || die "there is no control group to count processor time with"
}

# Prints the processor time that the machine has taken, in seconds.
processor_time() {
  if [[ -f $group/cpuacct.usage ]]; then
    echo $(($(<"$group/cpuacct.usage") / 1000000000))
  else
    awk '$1 == "usage_usec" { print int($2 / 1000000) }' "$group/cpu.stat"
  fi
}

# note_cost WHAT TIME SECONDS LIMIT_OF_TIME LIMIT_OF_SECONDS
note_cost() {
  say "$1: $2 s of processor time (at most $4), $3 s (at most $5)"
  (($2 <= $4)) || failures+=("$1 took $2 s of processor time instead of $4")
  ! $limits || (($3 <= $5)) || failures+=("$1 took $3 s instead of $5")
}

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
  umount --recursive "$machine"/{proc,sys,dev/pts,dev/shm} 2>/dev/null ||
    umount --lazy "$machine"/{proc,sys,dev/pts,dev/shm} 2>/dev/null || true
  ! mountpoint --quiet "$machine/root/shared" || umount --recursive "$machine/root/shared"
  if mount | grep -qF " $machine/"; then
    say "could not unmount everything below $machine, so the folder is left in place"
  elif $keep; then
    say "the machine is left in $machine"
  else
    rm -rf --one-file-system "$machine"
  fi
  [[ -z $group ]] || rmdir "$group" || say "the control group $group is left in place"
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
  debootstrap --variant=minbase --include=git bookworm "$machine" "$mirror" >"$machine.log" 2>&1 || { tail "$machine.log"; die "debootstrap failed"; }
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
  mount -t sysfs -o ro sysfs "$machine/sys"
  mount -t devpts -o newinstance,ptmxmode=0666 devpts "$machine/dev/pts"
  ln -sf pts/ptmx "$machine/dev/ptmx"
  mount -t tmpfs tmpfs "$machine/dev/shm"
  git clone --quiet --no-hardlinks "$root" "$machine/root/winperf_exporter"
  if [[ -d ${WINPERF_CAPTURES:-} ]]; then
    mkdir "$machine/root/shared"
    mount --bind --read-only "$(dirname "$WINPERF_CAPTURES")" "$machine/root/shared"
  fi
}

# The program below the shell is what the machine's processes descend from, and is in the group before it starts any. A shell without job
# control has what it starts in the background ignore Ctrl-C; here it works nevertheless.
inside() {
  # shellcheck disable=SC2016  # the inner shell's variables
  bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" \
    env --default-signal=INT -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} ${no_proxy:+no_proxy="$no_proxy"} \
    chroot "$machine" /bin/bash -c "cd /root/winperf_exporter && $1"
}

# test_run LIMIT_OF_TIME LIMIT_OF_SECONDS [ARGUMENT...]: scripts/run with the arguments must serve counters at that cost, and end
# on Ctrl-C.
test_run() {
  local most_time=$1 most_seconds=$2 name="scripts/run${3:+ $3}" started=$SECONDS before address='' status=0 metric
  local output=$machine/root/run.log page=$machine/root/metrics
  before=$(processor_time)
  say "$name"
  : >"$output"
  # With job control, the script gets its own process group, and doesn't ignore SIGINT.
  set -m
  inside "exec $name" >"$output" 2>&1 </dev/null &
  run_pid=$!
  set +m
  until [[ -n $address ]]; do
    kill -0 "$run_pid" 2>/dev/null || { cat "$output"; die "$name ended unexpectedly"; }
    sleep 0.2
    address=$(grep -om1 'ready: http://127.0.0.1:[0-9]*/metrics' "$output" | cut -d' ' -f2 || true)
  done
  note_cost "$name, until it served" $(($(processor_time) - before)) $((SECONDS - started)) "$most_time" "$most_seconds"

  # Rates need two samples, so the page is complete after one interval.
  for metric in winperf_cpu winperf_memory winperf_process_; do
    for _ in {1..60}; do
      inside "curl --silent --fail $address" >"$page" || true
      grep -q "^$metric" "$page" && break
      sleep 0.5
    done
    grep -q "^$metric" "$page" || failures+=("no $metric in /metrics of $name")
  done
  say "$(grep -c '^winperf_' "$page" || true) series, $(grep -c '^winperf_process_' "$page" || true) of them about processes"

  kill -INT -- "-$run_pid"
  wait "$run_pid" || status=$?
  ((status == 0)) || failures+=("$name ended with exit code $status on Ctrl-C")
  if [[ -n $(processes_inside) ]]; then
    # shellcheck disable=SC2046  # one argument a process
    ps -o pid,args -p $(processes_inside | paste -sd,) || true
    failures+=("$name left processes behind")
  fi
  sed 's/^/    /' "$output"
}

# test_suite LIMIT_OF_TIME LIMIT_OF_SECONDS [ARGUMENT...]: the same of scripts/test.
test_suite() {
  local name="scripts/test${3:+ $3}" started=$SECONDS before
  before=$(processor_time)
  say "$name"
  inside "exec $name" </dev/null || failures+=("$name failed")
  note_cost "$name" $(($(processor_time) - before)) $((SECONDS - started)) "$1" "$2"
  [[ -z $(processes_inside) ]] || failures+=("$name left processes behind")
}

failures=()
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
make_group
make_machine
for what in "${wanted[@]}"; do
  case $what in
    simulated) test_run 600 300 --simulated && test_run 60 30 --simulated ;;
    run) test_run 840 420 && test_run 60 30 ;;
    test) test_suite 2700 1500 && test_suite 960 480 ;;
    quick) test_suite 3600 1800 --quick && test_suite 360 180 --quick ;;
  esac
done
((${#failures[@]} == 0)) || die "$(printf '%s; ' "${failures[@]}")"
say "all tests passed"
