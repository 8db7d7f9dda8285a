/**
 * The script of the pod that has updaters run on its Node. It enters the host and starts a transient unit of systemd, so
 * that a run survives the pod, the kubelet, the container runtime and provider-node. Its name makes it run once.
 */

/** Where the pod finds the updaters: `0-NAME`, `1-NAME` … in their order. */
export const SCRIPTS = '/scripts';
/** Where a container leaves its last words. */
export const LAST_WORDS = '/dev/termination-log';

/**
 * For the host. It runs updaters in their order and leaves `result`: `Succeeded`, or `Failed NAME CODE` and the end of
 * what was printed.
 */
const ON_HOST = `#!/bin/sh
# Runs updaters in their order; stops at the first that fails.
cd "$(dirname "$0")" || exit 1
for script in [0-9]*-*; do
  sh "$script" >>log 2>&1 </dev/null
  code=$?
  if [ "$code" -ne 0 ]; then
    { printf 'Failed %s %s\\n' "\${script#*-}" "$code"; tail -c 1024 log; } >result.new
    exec mv result.new result
  fi
done
echo Succeeded >result.new
exec mv result.new result
`;

/** For the container, which needs \`sh\` and \`nsenter\`. @param unit  name of the unit and of its folder */
export function runnerScript(unit: string): string {
  return `set -u
host() { nsenter -t 1 -m -u -i -n -p -- "$@"; }
folder=/run/slipway/${unit}
if ! host test -e "$folder/started"; then
  host mkdir -p -m 0700 /run/slipway "$folder" || exit 1
  for script in ${SCRIPTS}/*; do
    host sh -c 'umask 077; cat >"$1"' sh "$folder/\${script##*/}" <"$script" || exit 1
  done
  printf '%s' "$ON_HOST" | host sh -c 'umask 077; cat >"$1"' sh "$folder/run" || exit 1
  host systemctl reset-failed ${unit}.service 2>/dev/null
  host touch "$folder/started" || exit 1
  host systemd-run --quiet --unit=${unit} --property=KillMode=process sh "$folder/run" || {
    host rm -f "$folder/started"
    exit 1
  }
fi
until host test -e "$folder/result"; do
  if ! host systemctl is-active --quiet ${unit}.service && ! host test -e "$folder/result"; then
    echo 'Failed systemd 1' >${LAST_WORDS}
    echo 'the run ended without a result' >>${LAST_WORDS}
    exit 0
  fi
  sleep 2
done
host cat "$folder/result" >${LAST_WORDS}
`;
}

export const RUNNER_ENV = { name: 'ON_HOST', value: ON_HOST } as const;
