# shellcheck shell=bash
# Docker Engine, the registry on loopback and the test images in it.

# The classic builder is in every engine; BuildKit needs a plugin that a Debian machine may not have.
export DOCKER_BUILDKIT=0

wait_for() {
  local tries=$1
  shift
  while ! "$@" >/dev/null 2>&1; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || return 1
    sleep 0.2
  done
}

# A systemd in a container mounts every hierarchy of control groups that the kernel has. Where it was killed, one that nobody else uses
# stays behind with an empty group in it, and Docker then has no figures of any container. On cgroup v2 there is nothing to do.
drop_left_hierarchies() {
  [ -n "$can_install" ] && [ ! -e /sys/fs/cgroup/cgroup.controllers ] || return 0
  local controllers place
  place=$(mktemp -d)
  while IFS=: read -r _ controllers _; do
    case $controllers in '' | name=*) continue ;; esac
    if grep -q "^cgroup .*,$controllers 0 0" /proc/mounts; then continue; fi
    mount -t cgroup -o "$controllers" none "$place" 2>/dev/null || continue
    rmdir "$place"/*/ 2>/dev/null || true
    umount "$place"
    say dropped "control groups of $controllers that nobody uses"
  done </proc/self/cgroup
  rmdir "$place"
}

# An engine that a test started and that was killed leaves the links of its networks, and with them the addresses, of which a machine has
# some thirty. Where the machine's engine is the only one, a bridge that it does not know is nobody's.
drop_left_links() {
  [ -n "$can_install" ] && has ip && [ "$(pgrep -cx dockerd)" = 1 ] || return 0
  local link known
  known=" $(docker network ls -q --no-trunc | cut -c1-12 | tr '\n' ' ')"
  for link in $(ip -br link show type bridge | cut -d' ' -f1 | grep -xE 'br-[0-9a-f]{12}|orrery-t[0-9]+'); do
    case $link in
      orrery-t*) [ ! -e "/proc/${link#orrery-t}" ] || continue ;;
      *) [[ $known != *" ${link#br-} "* ]] || continue ;;
    esac
    ip link delete "$link" && say dropped "the link $link of an engine that is gone"
  done
}

ensure_dockerd() {
  if has docker && docker version --format '{{.Server.Version}}' >/dev/null 2>&1; then
    say found "Docker Engine $(docker version --format '{{.Server.Version}}')"
    drop_left_links
    present docker
    return
  fi
  if [ -z "$can_install" ] || [ "${able[dockerd]}" != true ]; then
    missing docker 'no Docker Engine answers and none can be started (root is needed)'
    return
  fi
  if has systemctl && systemctl is-system-running >/dev/null 2>&1; then
    systemctl start docker || true
  else
    drop_left_hierarchies
    # Left behind on purpose: the next run finds it.
    setsid nohup dockerd >"$out/dockerd.log" 2>&1 </dev/null &
  fi
  if wait_for 150 docker version; then
    say started "Docker Engine $(docker version --format '{{.Server.Version}}')"
    drop_left_links
    present docker
  else
    missing docker 'dockerd did not start, see .test-env/dockerd.log'
  fi
}

ensure_registry() {
  if curl -fsS "http://$registry/v2/" >/dev/null 2>&1; then
    say found "registry on $registry"
    present registry
    return
  fi
  if [ "${able[registry]}" != true ] || [ "${able[docker]}" != true ]; then
    missing registry 'needs docker-registry and a Docker Engine'
    return
  fi
  local data=$state
  mkdir -p "$data/registry" 2>/dev/null || data=$out
  mkdir -p "$data/registry"
  cat >"$data/registry.yml" <<YML
version: 0.1
log: {level: warn}
storage: {filesystem: {rootdirectory: $data/registry}, delete: {enabled: true}}
http: {addr: "$registry"}
YML
  setsid nohup docker-registry serve "$data/registry.yml" >"$out/registry.log" 2>&1 </dev/null &
  if wait_for 50 curl -fsS "http://$registry/v2/"; then
    say started "registry on $registry"
    present registry
  else
    missing registry "docker-registry did not start on $registry, see .test-env/registry.log"
  fi
}

declare -A digest

# The digest that the registry has for an image, or nothing.
registry_digest() {
  curl -fsSI -H 'Accept: application/vnd.docker.distribution.manifest.v2+json' "http://$registry/v2/orrery-test/$1/manifests/$2" 2>/dev/null |
    tr -d '\r' | sed -n 's/^[Dd]ocker-[Cc]ontent-[Dd]igest: //p'
}

# What the images are made of, in twelve digits: the tag under which the registry keeps them.
images_recipe() {
  {
    find tests/setup/images -type f | LC_ALL=C sort | xargs cat
    cat tests/setup/docker.sh "$(command -v busybox)"
  } | sha256sum | cut -c 1-12
}

# push_image NAME CONTEXT TAG: builds it and pushes it.
push_image() {
  local name=$1 ref=$registry/orrery-test/$1:$3
  docker build -q -t "$ref" --build-arg "BASE=$registry/orrery-test/base:$3" "$2" && docker push -q "$ref"
}

build_images() {
  local tag=$1 build=$out/images name
  rm -rf "$build"
  cp -R tests/setup/images "$build"
  cp "$(command -v busybox)" "$build/base/busybox"
  cp -R "$build/web/web.sh" "$build/web/www" "$build/layers/"
  # Noise does not compress, so a pull has bytes to show; the fixed key gives the same layers on every machine.
  for name in 1 2 3 4 5 6; do
    head -c 6000000 /dev/zero | openssl enc -aes-128-ctr -nosalt -K "$(printf '%032x' "$name")" -iv "$(printf '%032x' 0)" >"$build/layers/blob$name"
  done
  for name in $image_names; do
    push_image "$name" "$build/$name" "$tag" >"$out/build-$name.log" 2>&1 || {
      missing images "image $name could not be built and pushed, see .test-env/build-$name.log"
      return 1
    }
  done
  rm -rf "$build"
  # The engine forgets them again, so that an install in a test really pulls.
  for name in sick oom crash layers web base; do
    docker rmi -f "$registry/orrery-test/$name:$tag" >/dev/null 2>&1 || true
  done
}

image_names='base web crash oom sick layers'

ensure_images() {
  if [ "${able[docker]}" != true ] || [ "${able[registry]}" != true ] || [ "${able[busybox]}" != true ]; then
    missing images 'needs Docker Engine, the registry and a static busybox'
    return
  fi
  local tag name verb=found
  tag=$(images_recipe)
  for name in $image_names; do
    if [ "$verb" = found ] && [ -z "$(registry_digest "$name" "$tag")" ]; then
      build_images "$tag" || return 0
      verb=made
    fi
  done
  for name in $image_names; do
    digest[$name]=$(registry_digest "$name" "$tag")
    say "$verb" "$registry/orrery-test/$name@${digest[$name]}"
  done
  present images
}

# The hosts have a network of their own, not Docker's default one: an engine that another test starts and ends
# beside them may take that away. Made here, once: tests that made it at the same moment made two of one name,
# which Docker then refuses under any name. Such a pair is taken away with the hosts that never started on it.
ensure_hosts_network() {
  [ "${able[docker]}" = true ] || return 0
  local name=orrery-test-hosts networks
  networks=$(docker network ls --quiet --filter "name=^$name\$")
  if [ "$(wc -w <<<"$networks")" -eq 1 ]; then
    say found "network $name"
    return
  fi
  if [ -n "$networks" ]; then
    docker ps --all --quiet --filter label=orrery-test=systemd-host --filter status=created | xargs -r docker rm --force >/dev/null
    # shellcheck disable=SC2086 # one word each
    docker network rm $networks >/dev/null
  fi
  docker network create "$name" >/dev/null
  say made "network $name"
}
