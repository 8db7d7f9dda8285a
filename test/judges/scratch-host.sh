#!/bin/sh
# A first boot in namespaces of its own: real cloud-init, or the real Ignition in $IGNITION, on an overlay of the Debian
# in $ROOT, in $FOLDER, with stand-ins for what needs a real machine. Every stand-in writes down how it was called. $DISK is a loop device.
set -eu
host="$FOLDER/host"
bin="$host/opt/stand-ins"
mount --make-rprivate /
mkdir "$FOLDER/upper" "$FOLDER/work" "$host"
mount -t overlay overlay -o "lowerdir=$ROOT,upperdir=$FOLDER/upper,workdir=$FOLDER/work" "$host"
mount -t proc proc "$host/proc"
mount --rbind /sys "$host/sys"
mount --rbind /dev "$host/dev"
mount -t tmpfs run "$host/run"
# cloud-init takes this folder for a systemd that runs.
mkdir -p "$host/run/systemd/system" "$bin"

stand_in() {
  printf '#!/bin/sh\necho "%s $*" >>/var/log/calls\n%s\n' "$1" "$2" >"$bin/$1"
  chmod 755 "$bin/$1"
}
for name in modprobe sysctl step; do stand_in "$name" ''; done
# As systemd mounts a unit; udev would have made the link to its label.
# shellcheck disable=SC2016
stand_in systemctl 'case "$*" in "enable --now "*.mount) ;; *) exit 0 ;; esac
said() { sed -n "s/^$1=//p" "/etc/systemd/system/$unit"; }
unit="$3"
type="$(said Type)"
options="$(said Options)"
mkdir -p "$(said Where)"
mount -t "${type:-auto}" -o "${options:-defaults}" "$(blkid -c /dev/null -L "$(basename "$(said What)")")" "$(said Where)"'
# shellcheck disable=SC2016
stand_in apt-get 'case "$*" in *no-such-package*) exit 100 ;; esac'
# shellcheck disable=SC2016
stand_in kubeadm 'case "$2" in --config) cp "$3" /root/kubeadm-was-told ;; esac'
stand_in containerd "echo \"config_path = '/etc/containerd/certs.d'\""
# shellcheck disable=SC2016
stand_in swapon 'case "$1" in --show=NAME) echo /swapfile ;; esac'
# What udev and most kernels do by themselves: see new partitions. A loop device is no disk, and those of others are not of this host.
printf '#!/bin/sh\npartx -u %s 2>/dev/null || true\n' "$DISK" >"$bin/udevadm"
cat >"$bin/lsblk" <<LSBLK
#!/bin/sh
case "\$*" in */dev/*) ;; *) set -- "\$@" "$DISK" ;; esac
/usr/bin/lsblk "\$@" | sed -e 's/TYPE="loop"/TYPE="disk"/' -e 's/ loop \(.*[^ ]\) *\$/ disk \1 $MODEL/'
LSBLK
chmod 755 "$bin/udevadm" "$bin/lsblk"

# What was on the disk before.
chroot "$host" sh -ec "$BEFORE" >>"$FOLDER/output" 2>&1

export PATH=/opt/stand-ins:/usr/sbin:/usr/bin:/sbin:/bin

boot_cloud_init() {
  seed="$host/var/lib/cloud/seed/nocloud"
  mkdir -p "$seed"
  if [ -n "$HANDED_OVER" ]; then
    # As the boot stub leaves it: user data says nothing, and what was fetched is read as configuration.
    printf '#cloud-config\n' >"$seed/user-data"
    (umask 077 && cp "$FOLDER/user-data" "$host/var/lib/slipway-first-boot.cfg")
    ln -s /var/lib/slipway-first-boot.cfg "$host$HANDED_OVER"
  else
    cp "$FOLDER/user-data" "$seed/user-data"
  fi
  printf 'instance-id: i-0fake\navailability-zone: eu-west-1a\n' >"$seed/meta-data"
  # What an image decides for itself, and what cannot be done without a machine.
  cat >"$host/etc/cloud/cloud.cfg.d/99-scratch.cfg" <<'CFG'
datasource_list: [NoCloud]
network: {config: disabled}
growpart: {mode: 'off'}
resize_rootfs: false
locale: false
ssh_genkeytypes: []
apt_preserve_sources_list: true
CFG

  for stage in 'init --local' 'init' 'modules --mode=config' 'modules --mode=final'; do
    # shellcheck disable=SC2086
    chroot "$host" cloud-init $stage </dev/null >>"$FOLDER/output" 2>&1 || true
  done
  chroot "$host" cloud-init status --long >"$FOLDER/status" || true
}

# Its stages, as in an initramfs that has these programs; then what it left to systemd: mounts, the swap file, the unit.
boot_ignition() {
  # Of SELinux, which it wants to label files with.
  printf '#!/bin/sh\n' >"$bin/setfiles"
  chmod 755 "$bin/setfiles"
  mkdir -p "$host/etc/selinux"
  printf 'SELINUX=disabled\nSELINUXTYPE=targeted\n' >"$host/etc/selinux/config"
  # shellcheck disable=SC2016
  stand_in curl 'case "$*" in *instance-id) printf i-0fake ;; *zone) printf eu-west-1a ;; *) printf fake ;; esac'
  # It writes keys of users as these users.
  chmod 711 "$FOLDER"
  # Every image with Ignition has systemd, and so its groups.
  chroot "$host" groupadd -f systemd-journal
  echo 'status: error' >"$FOLDER/status"
  cp "$IGNITION" "$host/run/ignition-itself"
  cp "$FOLDER/user-data" "$host/run/user-data"
  cp "$DEVICES" "$host/run/devices.py"
  chroot "$host" python3 /run/devices.py /run/systemd/private 2>>"$FOLDER/output" &
  until [ -e "$host/run/systemd/private" ]; do sleep 0.1; done
  mkdir "$host/sysroot"
  mount --rbind "$host" "$host/sysroot"
  # The older one calls platforms by another name, and leaves all mounts to systemd.
  case "$SPECIFICATION" in
  2) flag=-oem stages='fetch disks files' ;;
  *) flag=-platform stages='fetch disks mount files umount' ;;
  esac
  for stage in $stages; do
    IGNITION_CONFIG_FILE=/run/user-data chroot "$host" /run/ignition-itself "$flag" file -stage "$stage" \
      -root /sysroot -config-cache /run/ignition-cache -log-to-stdout >>"$FOLDER/output" 2>&1 || return 0
  done
  rm "$host/run/user-data" "$host/run/ignition-cache"
  preset="$host/etc/systemd/system-preset/20-ignition.preset"
  for unit in "$host"/etc/systemd/system/*.mount; do
    # The script enables the others.
    grep -qxF "enable ${unit##*/}" "$preset" || continue
    mount_unit "$unit" >>"$FOLDER/output" 2>&1 || return 0
  done
  if [ -e "$host/etc/systemd/system/slipway-swap-file.service" ]; then
    command="$(sed -n 's/^ExecStart=//p' "$host/etc/systemd/system/slipway-swap-file.service")"
    # shellcheck disable=SC2086
    chroot "$host" $command >>"$FOLDER/output" 2>&1 || return 0
  fi
  grep -qx 'enable slipway-bootstrap.service' "$preset" || return 0
  chroot "$host" /bin/sh /etc/slipway/bootstrap.sh </dev/null >>"$FOLDER/output" 2>&1 || return 0
  echo 'status: done' >"$FOLDER/status"
}

# As systemd mounts it; udev would have made the links to labels.
mount_unit() {
  said() { sed -n "s/^$1=//p" "$unit"; }
  what="$(said What)"
  case "$what" in /dev/disk/by-label/*) what="$(blkid -c /dev/null -L "${what##*/}")" ;; esac
  type="$(said Type)"
  options="$(said Options)"
  mkdir -p "$host$(said Where)"
  mount -t "${type:-auto}" -o "${options:-defaults}" "$what" "$host$(said Where)"
}

if [ -n "$IGNITION" ]; then boot_ignition; else boot_cloud_init; fi
chroot "$host" sh -c "$AFTER" </dev/null >>"$FOLDER/output" 2>&1 || true
touch "$host/var/log/calls"
cp "$host/var/log/calls" "$FOLDER/calls"

# Mode, owner and bytes of what is asked for, while everything is mounted.
while read -r path; do
  [ -e "$host$path" ] || continue
  chroot "$host" stat -c '%n %a %U:%G' "$path"
  base64 -w0 "$host$path"
  echo
done <"$FOLDER/asked" >"$FOLDER/found"
grep -rlF "$SECRET" "$host/etc" "$host/root" "$host/opt" "$host/var" "$host/home" "$host/run" 2>/dev/null |
  sed "s|^$host||" >"$FOLDER/holders" || true
# Number, size, name, filesystem and its label of each partition of the second disk, and where it is mounted.
for part in "$DISK"p?*; do
  [ -b "$part" ] || continue
  echo "$(partx -rgb -n "${part##*p}" -o NR,SIZE,NAME "$DISK")" \
    "$(blkid -p -o value -s TYPE "$part")" "$(blkid -p -o value -s LABEL "$part")" \
    "$(awk -v part="$part" -v host="$host" '$1 == part { print substr($2, length(host) + 1) }' /proc/mounts)"
done | sed 's/ *$//' >"$FOLDER/partitions"
# The same of the disk itself, if it has a filesystem.
blkid -p -o value -s TYPE -s LABEL "$DISK" >"$FOLDER/whole" || true
awk -v part="$DISK" -v host="$host" '$1 == part { print substr($2, length(host) + 1) }' /proc/mounts >>"$FOLDER/whole"
awk -v disk="$DISK" 'index($1, disk) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r -n 1 umount || true
