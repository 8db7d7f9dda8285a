/**
 * The scripts of a run. The pod enters its host and starts a transient unit of systemd, which survives the pod, the
 * kubelet, the container runtime and provider-node. The folder of the result is made by the unit itself, once: whoever
 * comes later only waits for it.
 */

/** Where the pod finds the updaters: `00-NAME`, `01-NAME` … in their order. */
export const SCRIPTS = '/scripts';
/** Where a container leaves its last words; the kubelet keeps 4 KiB. */
export const LAST_WORDS = '/dev/termination-log';
/** On the host, in memory: the updaters, until they have run. */
const FOLDER = '/run/slipway';
/** On the host: the result of the last run. */
const RESULTS = '/var/lib/slipway';

/** Bytes of what the unit printed. */
const PRINTED = 2048;
/** Seconds of updaters that are told to end. */
const GRACE = 30;

/** Of the host. It ends with the code of the first updater that fails. */
const ON_HOST = `#!/bin/sh
# Runs updaters in their order; stops at the first that fails.
unit=$1
for old in ${RESULTS}/slipway-update-*; do
  [ "$old" = "${RESULTS}/$unit" ] || rm -rf "$old"
done
mkdir -p -m 0700 ${RESULTS} && mkdir -m 0700 "${RESULTS}/$unit" || exit 1
cd "${FOLDER}/$unit" || exit 1
for script in [0-9]*-*; do
  printf '%s' "\${script#*-}" >now
  sh "$script" </dev/null || exit
done
`;

/** Of the host, by systemd when the unit ends, however it does. What was printed is in the journal of the unit. */
const AT_END = `#!/bin/sh
unit=$1
result="${RESULTS}/$unit/result"
now=$(cat "${FOLDER}/$unit/now" 2>/dev/null || echo runner)
{
  case "$SERVICE_RESULT" in
    success) echo Succeeded ;;
    timeout) echo "Failed $now timeout" ;;
    *) echo "Failed $now \${EXIT_STATUS:-1}" ;;
  esac
  journalctl --sync 2>/dev/null
  journalctl --quiet --no-pager --output=cat --lines=100 "_SYSTEMD_UNIT=$unit.service" 2>/dev/null | tail -c ${PRINTED}
} >"$result.new"
mv "$result.new" "$result"
rm -rf "${FOLDER}/$unit"
`;

/**
 * For the container, which needs \`sh\` and \`nsenter\`. It ends with code 0 as soon as there is a result.
 * @param unit  name of the unit and of its folders
 * @param seconds  after which systemd ends the unit
 */
export function runnerScript(unit: string, seconds: number): string {
  return `set -u
host() { nsenter -t 1 -m -u -i -n -p -- "$@"; }
say() { printf 'Failed runner %s\\n' "$1" >${LAST_WORDS}; exit 0; }
folder=${FOLDER}/${unit}
kept=${RESULTS}/${unit}
put() { host sh -c 'umask 077; cat >"$1.next" && mv "$1.next" "$1"' sh "$folder/$1"; }
host true || say 'cannot enter the host'
host systemctl --version >/dev/null 2>&1 || say 'the host has no systemd'
if ! host test -e "$kept"; then
  host mkdir -p -m 0700 ${FOLDER} "$folder" || exit 1
  for script in ${SCRIPTS}/*; do
    put "\${script##*/}" <"$script" || exit 1
  done
  printf '%s' "$ON_HOST" | put run || exit 1
  printf '%s' "$AT_END" | put end || exit 1
  host systemd-run --quiet --collect --unit=${unit} --description='In-place update by Slipway' \\
    --property=RuntimeMaxSec=${seconds} --property=TimeoutStopSec=${GRACE} \\
    --property="ExecStopPost=/bin/sh $folder/end ${unit}" /bin/sh "$folder/run" ${unit} ||
    host systemctl is-active ${unit}.service || host test -e "$kept" || exit 1
fi
gone=0
until host test -e "$kept/result"; do
  case "$(host systemctl is-active ${unit}.service 2>/dev/null)" in
    active | activating | deactivating | reloading) gone=0 ;;
    *) gone=$((gone + 1)) ;;
  esac
  [ "$gone" -lt 5 ] || say 'the run ended without a result'
  host sleep 2
done
host cat "$kept/result" >${LAST_WORDS}
`;
}

export const RUNNER_ENV = [
  { name: 'ON_HOST', value: ON_HOST },
  { name: 'AT_END', value: AT_END },
] as const;
