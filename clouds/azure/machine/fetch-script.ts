/**
 * The script that fetches the sealed part of first-boot data and writes its files. It needs jq and curl. The token is
 * passed to curl on its standard input, never as an argument.
 */
import { proxyExports } from '#lib/cloud/proxy.ts';
import { NEEDS_JQ, writeSealed } from '#lib/cloud/sealed-files.ts';
import type { Place } from './place.ts';

/** all prints the values of the parts, one after another; a part that is missing fails. */
const CALL = `metadata='http://169.254.169.254/metadata/identity/oauth2/token'
# Seconds since the host started: its clock may jump while it is set.
seconds() { cut -d. -f1 /proc/uptime; }
deadline="$(($(seconds) + 600))"

access() {
  token="$(curl -fsS -m 10 --noproxy '*' -G -H 'Metadata: true' -d api-version=2018-02-01 \\
    -d "resource=https://$domain" --data-urlencode "msi_res_id=$identity" "$metadata" 2>&1)" || {
    printf '%s' "$token"
    return 1
  }
  printf '%s' "$token" | jq -r '"header = \\"Authorization: Bearer \\(.access_token)\\""' |
    curl -fsS -m 10 --config - "$1?api-version=7.4" 2>&1
}

all() {
  if [ "$parts" -eq 0 ]; then
    access "$secret"
    return
  fi
  part=0
  while [ "$part" -lt "$parts" ]; do
    access "$secret-$part" || return 1
    part="$((part + 1))"
  done
}
`;

const FETCH = `# The network, the role and the secret come up meanwhile.
until answer="$(all)"; do
  if [ "$(seconds)" -gt "$deadline" ]; then
    # What broke off in the middle is no message.
    case "$answer" in *value*) answer='the answer broke off' ;; esac
    echo "slipway: cannot fetch first-boot data $secret: $answer" >&2
    exit 1
  fi
  sleep 5
done
`;

const EXTRACT = `if [ "$parts" -eq 0 ]; then
  printf '%s' "$answer" | jq -j '.value' >"$sealed"
else
  printf '%s' "$answer" | jq -j '.value' | base64 -d | gunzip -c >"$sealed"
fi
`;

export function fetchScript({ secret, parts, identity, domain, proxy }: Place): string {
  const where = `#!/bin/sh
# Join secrets are not in custom data, which stays on the machine: they are secrets that only the identity of its role
# may read, and that are deleted once the node registered.
set -eu
umask 077
secret='${secret}'
parts='${parts}'
identity='${identity}'
domain='${domain}'
${proxyExports(proxy)}`;
  return [where, NEEDS_JQ, CALL, FETCH, writeSealed(EXTRACT)].join('\n');
}
