/**
 * The script that fetches the sealed part of first-boot data and writes its files. It needs jq and curl. The token is
 * passed to curl on its standard input, never as an argument.
 */
import { proxyExports } from '#lib/cloud/proxy.ts';
import { NEEDS_JQ, writeSealed } from '#lib/cloud/sealed-files.ts';
import type { Place } from './place.ts';

/** call PATH prints the response of Secret Manager. */
const CALL = `metadata=http://169.254.169.254/computeMetadata/v1
api=https://secretmanager.googleapis.com/v1
# Seconds since the host started: its clock may jump while it is set.
seconds() { cut -d. -f1 /proc/uptime; }
deadline="$(($(seconds) + 600))"

own() {
  curl -fsS -m 10 --noproxy '*' -H 'Metadata-Flavor: Google' "$metadata/$1"
}

call() {
  token="$(own instance/service-accounts/default/token)" || return 1
  printf '%s' "$token" | jq -r '"header = \\"Authorization: Bearer \\(.access_token)\\""' |
    curl -fsS -m 10 --config - "$api/$1" 2>&1
}

access() {
  project="$(own project/project-id)" || return 1
  call "projects/$project/secrets/$secret/versions/latest:access"
}
`;

const FETCH = `# The network, the role and the secret come up meanwhile.
until answer="$(access)"; do
  if [ "$(seconds)" -gt "$deadline" ]; then
    # What broke off in the middle is no message.
    case "$answer" in *payload*) answer='the answer broke off' ;; esac
    echo "slipway: cannot fetch first-boot data $secret: $answer" >&2
    exit 1
  fi
  sleep 5
done
`;

const EXTRACT = `printf '%s' "$answer" | jq -r '.payload.data' | base64 -d >"$sealed"
if gunzip -c <"$sealed" >"$sealed.text" 2>/dev/null; then cat "$sealed.text" >"$sealed"; fi
rm -f "$sealed.text"
`;

export function fetchScript({ secret, proxy }: Place): string {
  const where = `#!/bin/sh
# Join secrets are not in metadata, where everybody who may describe the machine can read them: they are a secret that
# only the service account of its role may read, and that is deleted once the node registered.
set -eu
umask 077
secret='${secret}'
${proxyExports(proxy)}`;
  return [where, NEEDS_JQ, CALL, FETCH, writeSealed(EXTRACT)].join('\n');
}
