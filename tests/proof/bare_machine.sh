#!/bin/sh
# Show that a fresh clone works on a Debian 12 with nothing on it: no Python, no display, no package of ours.
#
#   sh tests/proof/bare_machine.sh FOLDER [COMMAND...]
#
# needs root, debootstrap, git and unshare. FOLDER/base keeps the empty system for the next time, FOLDER/root is the one that is
# used. COMMAND is what the clone is asked to do there; without one: `./dev run --version`, then `./dev test`.
# Where packages come from (mirror, certificates, pip's settings) is taken from the machine that this runs on.
set -eu

[ $# -gt 0 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 2; }
folder=$1
shift
project=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
mkdir -p "$folder"
folder=$(CDPATH='' cd -- "$folder" && pwd -P)
base=$folder/base
root=$folder/root
suite=bookworm

say() { printf '== %s\n' "$*"; }

mirror() {
    # shellcheck disable=SC2016  # apt fills these in
    apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Created-By: Packages' |
        sed -n 's|^\([^ ]*/debian\)/\{0,1\} main$|\1|p' | head -n 1
}

if [ ! -e "$base/.complete" ]; then
    say "an empty Debian 12"
    rm -rf "$base"
    debootstrap --variant=minbase "$suite" "$base" "$(mirror)" >"$folder/debootstrap.log" 2>&1
    touch "$base/.complete"
fi
rm -rf "$root"
cp -a "$base" "$root"

say "what this machine knows about its network"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
for path in /usr/local/share/ca-certificates /etc/pip.conf /etc/xdg/pip; do
    [ -e "$path" ] || continue
    mkdir -p "$root$(dirname "$path")"
    rm -rf "${root:?}$path"
    cp -RL "$path" "$root$path"
done
for path in /etc/apt/apt.conf.d/*proxy*; do
    [ ! -e "$path" ] || cp "$path" "$root/etc/apt/apt.conf.d/"
done

say "a fresh clone of $(git -C "$project" rev-parse --short HEAD)"
mkdir -p "$root/home/person"
git clone -q --no-hardlinks "$project" "$root/home/person/bramble"
chown -R 1000:1000 "$root/home/person"

inside() {
    # inside USER COMMAND...: in the new root, with its own processes, /proc, terminals and shared memory, and an empty
    # environment but for the certificates that this machine's Node is told to trust.
    user=$1
    shift
    # shellcheck disable=SC2016  # the inner shell's; it stays as the first process, which collects orphans
    unshare --mount --pid --fork sh -c '
        root=$1 user=$2
        shift 2
        mount --bind "$root" "$root"  # bubblewrap wants a mount below its feet
        mount -t proc proc "$root/proc"
        mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts "$root/dev/pts"
        rm -f "$root/dev/ptmx"
        ln -s pts/ptmx "$root/dev/ptmx"
        mount -t tmpfs tmpfs "$root/dev/shm"
        env -i HOME=/home/person PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            ${NODE_EXTRA_CA_CERTS:+NODE_EXTRA_CA_CERTS="$NODE_EXTRA_CA_CERTS"} \
            chroot --userspec="$user:$user" "$root" sh -c "cd /home/person/bramble && \"\$@\"; exit \$?" sh "$@" &
        wait $!
    ' sh "$root" "$user" "$@" </dev/null
}

say "without root and without sudo it names the one line to type"
if inside 1000 ./dev run --version 2>"$folder/refused.log"; then
    say "it should have stopped there" && exit 1
fi
grep 'apt-get install --no-install-recommends python3 python3-venv ca-certificates ' "$folder/refused.log"

# What a person has who cloned it: the folder is root's own from here on.
chown -R 0:0 "$root/home/person"
if [ $# -gt 0 ]; then
    say "$*"
    inside 0 "$@"
    exit 0
fi
say "./dev run --version"
inside 0 ./dev run --version
say "the second start"
inside 0 ./dev run --version
say "./dev test"
inside 0 ./dev test -q
