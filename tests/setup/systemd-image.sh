# shellcheck shell=bash
# A minimal Debian that boots systemd in a container: the bare host that install.sh is tried on.

systemd_image=''

# The mirror and release that this machine itself uses; never written to a file of the project.
apt_mirror() {
  sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null |
    grep -v security | head -n 1
}

ensure_systemd_image() {
  if [ "${able[docker]}" != true ]; then
    missing systemd_image 'needs Docker Engine'
    return
  fi
  local recipe tag
  recipe=$(sha256sum "$root/tests/setup/systemd-image.sh" | cut -c 1-12)
  tag=orrery-test/systemd:$recipe
  if docker image inspect "$tag" >/dev/null 2>&1; then
    say found "image $tag"
  elif import_systemd_image "$tag" "$state/systemd-$recipe.tar"; then
    say made "image $tag"
  else
    missing systemd_image 'debootstrap did not work, see .test-env/debootstrap.log'
    return
  fi
  systemd_image=$tag
  present systemd_image
}

import_systemd_image() {
  local tag=$1 tarball=$2
  if [ ! -s "$tarball" ]; then
    [ -n "$can_install" ] && [ "${able[debootstrap]}" = true ] || return 1
    say making 'a Debian image with systemd (debootstrap, takes a few minutes, kept for the next time)'
    make_tarball "$tarball" >"$out/debootstrap.log" 2>&1 || return 1
  fi
  docker import -c 'CMD ["/sbin/init"]' "$tarball" "$tag" >/dev/null
}

make_tarball() {
  local tarball=$1 tree codename
  mkdir -p "$(dirname "$tarball")"
  rm -rf "$(dirname "$tarball")"/systemd-*.tar "$(dirname "$tarball")"/debian.*
  tree=$(mktemp -d "$(dirname "$tarball")/debian.XXXXXX")
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,ca-certificates,curl,openssl,procps,btrfs-progs \
    "$codename" "$tree" "$(apt_mirror)" || return 1
  # No mirror stays inside, nothing is fetched at boot and no console waits for a login.
  rm -rf "$tree"/var/cache/apt/* "$tree"/var/lib/apt/lists/* "$tree"/etc/apt/sources.list* "$tree"/usr/share/doc "$tree"/usr/share/man "$tree"/usr/share/locale
  : >"$tree/etc/machine-id"
  local unit
  for unit in getty@tty1 console-getty systemd-resolved systemd-networkd apt-daily.timer apt-daily-upgrade.timer systemd-timesyncd; do
    case $unit in *.timer) ;; *) unit=$unit.service ;; esac
    ln -sf /dev/null "$tree/etc/systemd/system/$unit"
  done
  tar -C "$tree" --exclude=./dev --exclude=./proc --exclude=./sys -cf "$tarball.part" . && mv "$tarball.part" "$tarball"
  rm -rf "$tree"
}
