# shellcheck shell=bash
# Debian packages: found as they are, or installed when this is root on Debian.

# Prints "yes" when packages may be installed here, nothing otherwise.
may_install() {
  if [ "$(id -u)" = 0 ] && has apt-get; then echo yes; fi
}

refreshed=''
install_packages() {
  if [ -z "$refreshed" ]; then
    say updating 'package lists (apt-get update)'
    apt-get update -qq >"$out/apt.log" 2>&1 || say WARNING 'apt-get update failed, see .test-env/apt.log'
    refreshed=yes
  fi
  say installing "$*"
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >>"$out/apt.log" 2>&1 || {
    say FAILED "apt-get install $*, see .test-env/apt.log"
    tail -n 5 "$out/apt.log"
    return 1
  }
}

# ensure_program CAPABILITY PROGRAM PACKAGE…: one capability is one program on the PATH.
ensure_program() {
  local capability=$1 program=$2
  shift 2
  if has "$program"; then
    say found "$program"
    present "$capability"
  elif [ -n "$can_install" ] && install_packages "$@" && has "$program"; then
    say installed "$*"
    present "$capability"
  else
    missing "$capability" "$program is not installed and cannot be (root on Debian or Ubuntu is needed)"
  fi
}

ensure_packages() {
  ensure_program curl curl curl ca-certificates
  ensure_program openssl openssl openssl
  ensure_program shellcheck shellcheck shellcheck
  ensure_program wrk wrk wrk
  ensure_program git git git
  ensure_program sftp /usr/lib/openssh/sftp-server openssh-sftp-server
  ensure_program litmus litmus litmus
  ensure_program cadaver cadaver cadaver
  ensure_program rclone rclone rclone
  ensure_s3_programs
  ensure_program davfs mount.davfs davfs2
  ensure_program strace strace strace
  ensure_btrfs
  ensure_chromium
  ensure_program busybox busybox busybox-static
  # A dynamically linked busybox cannot run in an empty image.
  if [ "${able[busybox]}" = true ] && ldd "$(command -v busybox)" >/dev/null 2>&1; then
    if [ -n "$can_install" ] && install_packages busybox-static; then
      say installed busybox-static
    else
      missing busybox 'the installed busybox is not static'
    fi
  fi
  ensure_program debootstrap debootstrap debootstrap
  ensure_program dockerd dockerd docker.io
  # Newer Debian ships the command line apart from the engine.
  ensure_program docker_cli docker docker-cli
  ensure_registry_program
  ensure_node_exporter
  ensure_web_server nginx nginx nginx
  ensure_web_server apache2 apache2 apache2
  ensure_postfix
  ensure_postgres
  ensure_databases
  ensure_program asciinema asciinema asciinema
  ensure_apt_index
}

# Images of Debian for containers have apt read all its lists anew at each question, for which a node that starts then works a
# second. Servers keep what was read in a file, and so does a machine with tests.
ensure_apt_index() {
  local setting=/etc/apt/apt.conf.d/zz-orrery-test
  local pkgcache=''
  [ -n "$can_install" ] && has apt-config || return 0
  eval "$(apt-config shell pkgcache Dir::Cache::pkgcache)"
  if [ -n "$pkgcache" ]; then
    say found "apt's index of packages"
  else
    echo 'Dir::Cache::pkgcache "pkgcache.bin";' >"$setting"
    apt-cache stats >/dev/null 2>&1 || true
    say made "apt's index of packages ($setting)"
  fi
}

# Without the windows, menus and start pages around it Chromium starts in a fifth of the time and needs a third less processor
# for the same pages. Where that build is not to be had, the whole one does; a machine that has that one is not searched for long.
ensure_chromium() {
  local wanted=chromium-headless-shell
  if ! has $wanted && [ -n "$can_install" ] && { ! has chromium || apt-cache show $wanted >/dev/null 2>&1; }; then
    install_packages $wanted fonts-liberation || true
  fi
  if has $wanted; then
    say found $wanted
    present chromium
  else
    ensure_program chromium chromium chromium fonts-liberation
  fi
  chromium=$(command -v $wanted || command -v chromium || true)
}

# A btrfs in a file, which root alone mounts, where the kernel has it at all.
ensure_btrfs() {
  ensure_program btrfs mkfs.btrfs btrfs-progs
  [ "${able[btrfs]}" = true ] || return 0
  if [ "$(id -u)" != 0 ]; then
    missing btrfs 'only root mounts a btrfs'
  elif ! grep -qw btrfs /proc/filesystems && ! modprobe -q btrfs; then
    missing btrfs 'the kernel has no btrfs'
  elif [ ! -e /dev/loop-control ]; then
    missing btrfs '/dev/loop-control is not there'
  fi
}

# What people use with object stores, as Debian has it.
ensure_s3_programs() {
  local program
  for program in /usr/bin/aws restic s3cmd s3fs; do
    if ! has "$program" && [ -n "$can_install" ]; then
      install_packages python3-boto3 awscli rclone restic s3cmd s3fs || true
      break
    fi
  done
  if ! /usr/bin/python3 -c 'import boto3' 2>/dev/null; then
    missing s3_programs 'python3-boto3 is not installed and cannot be (root on Debian or Ubuntu is needed)'
  elif ! has /usr/bin/aws || ! has restic || ! has s3cmd || ! has s3fs; then
    missing s3_programs 'awscli, restic, s3cmd or s3fs is not installed and cannot be (root on Debian or Ubuntu is needed)'
  else
    say found 'boto3, aws, restic, s3cmd, s3fs'
    present s3_programs
  fi
}

# For comparison in `npm run bench` only.
ensure_node_exporter() {
  local was_there=''
  has prometheus-node-exporter && was_there=yes
  ensure_program node_exporter prometheus-node-exporter prometheus-node-exporter
  if [ -z "$was_there" ] && has systemctl && systemctl is-active --quiet prometheus-node-exporter 2>/dev/null; then
    systemctl disable --now prometheus-node-exporter >/dev/null 2>&1 && say stopped 'the service that the prometheus-node-exporter package had started'
  fi
}

# For comparison in `npm run bench` only, on ports of its own; the package starts one for the whole machine.
ensure_web_server() {
  local was_there=''
  has "$2" && was_there=yes
  ensure_program "$@"
  if [ -z "$was_there" ] && has systemctl && systemctl is-active --quiet "$3" 2>/dev/null; then
    systemctl disable --now "$3" >/dev/null 2>&1 && say stopped "the service that the $3 package had started"
  fi
}

ensure_registry_program() {
  local was_there=''
  has docker-registry && was_there=yes
  ensure_program registry docker-registry docker-registry
  # The package starts a service of its own on every address; the tests use another one on loopback.
  if [ -z "$was_there" ] && has systemctl && systemctl is-active --quiet docker-registry 2>/dev/null; then
    systemctl disable --now docker-registry >/dev/null 2>&1 && say stopped 'the service that the docker-registry package had started'
  fi
}

# Tests run postfix with a folder of their own; the package must neither ask nor start one for the whole machine.
ensure_postfix() {
  if ! has postfix && [ -n "$can_install" ] && has debconf-set-selections; then
    echo 'postfix postfix/main_mailer_type select No configuration' | debconf-set-selections
  fi
  ensure_program postfix postfix postfix
  if [ "${able[postfix]}" = true ] && [ "$(id -u)" != 0 ]; then missing postfix 'postfix can only be started by root'; fi
}

# Tests start servers of their own, each on a socket in a folder of its own; the package must not make one for the machine.
ensure_postgres() {
  local initdb
  initdb=$(find /usr/lib/postgresql -name initdb 2>/dev/null | sort -V | tail -n 1)
  if [ -z "$initdb" ] && [ -n "$can_install" ]; then
    mkdir -p /etc/postgresql-common
    [ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
    install_packages postgresql && say installed postgresql
    initdb=$(find /usr/lib/postgresql -name initdb 2>/dev/null | sort -V | tail -n 1)
  elif [ -n "$initdb" ]; then
    say found "$initdb"
  fi
  if [ -n "$initdb" ]; then
    present postgres
  else
    missing postgres 'postgresql is not installed and cannot be (root on Debian or Ubuntu is needed)'
  fi
}

# MariaDB, Redis and SQLite as Debian has them: tests put them into images and start nothing on this machine.
ensure_databases() {
  local had_redis='' program
  has redis-server && had_redis=yes
  for program in mariadbd mariadb-install-db mariadb-dump redis-server sqlite3; do
    if ! has "$program" && [ -n "$can_install" ]; then
      install_packages mariadb-server-core mariadb-client redis-server sqlite3 || true
      break
    fi
  done
  if [ -z "$had_redis" ] && has systemctl && systemctl is-active --quiet redis-server 2>/dev/null; then
    systemctl disable --now redis-server >/dev/null 2>&1 && say stopped 'the service that the redis-server package had started'
  fi
  for program in mariadbd mariadb-install-db mariadb-dump redis-server sqlite3; do
    if ! has "$program"; then
      missing databases "$program is not installed and cannot be (root on Debian or Ubuntu is needed)"
      return
    fi
  done
  say found 'mariadbd, redis-server, sqlite3'
  present databases
}
