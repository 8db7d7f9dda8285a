/**
 * The script that fetches the sealed part of first-boot data and writes its files. It needs jq, and curl 7.86 or newer,
 * which signs every header: current images that run Ignition have both, and neither Python nor an AWS CLI. Keys are
 * passed to curl on its standard input, never as arguments.
 */
import { proxyExports } from '#lib/cloud/proxy.ts';
import { NEEDS_JQ, writeSealed } from '#lib/cloud/sealed-files.ts';
import type { Place } from './place.ts';

const TOOLS = `${NEEDS_JQ}curl --version | awk 'NR == 1 { split($2, v, "."); exit !(v[1] > 7 || (v[1] == 7 && v[2] >= 86)) }' || {
  echo 'slipway: cannot fetch first-boot data: this image has a curl older than 7.86, which cannot sign for AWS' >&2
  exit 1
}
`;

/** call ACTION ARGUMENTS prints the response of Secrets Manager. */
const CALL = `metadata=http://169.254.169.254/latest
api="https://$host/"
# Seconds since the host started: its clock may jump while it is set.
seconds() { cut -d. -f1 /proc/uptime; }
deadline="$(($(seconds) + 600))"

role() {
  curl -fsS -m 10 --noproxy '*' -H "X-aws-ec2-metadata-token: $session" "$metadata/meta-data/iam/security-credentials/$1"
}

call() {
  session="$(curl -fsS -m 10 --noproxy '*' -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' "$metadata/api/token")" || return 1
  identity="$(role "$(role '')")" || return 1
  printf '%s' "$identity" |
    jq -r '"user = \\"\\(.AccessKeyId):\\(.SecretAccessKey)\\"\\nheader = \\"x-amz-security-token: \\(.Token)\\""' |
    curl -sS -m 10 --fail-with-body --aws-sigv4 "aws:amz:$region:secretsmanager" --config - \\
      -H 'content-type: application/x-amz-json-1.1' -H "x-amz-target: secretsmanager.$1" -d "$2" "$api" 2>&1
}
`;

const FETCH = `# The network, the role and the secret come up meanwhile.
until answer="$(call GetSecretValue "{\\"SecretId\\":\\"$secret\\"}")"; do
  if [ "$(seconds)" -gt "$deadline" ]; then
    # What broke off in the middle is no message.
    case "$answer" in *SecretString* | *SecretBinary*) answer='the answer broke off' ;; esac
    echo "slipway: cannot fetch first-boot data $secret: $answer" >&2
    exit 1
  fi
  sleep 5
done
`;

const EXTRACT = `if printf '%s' "$answer" | jq -e 'has("SecretString")' >/dev/null; then
  printf '%s' "$answer" | jq -j '.SecretString' >"$sealed"
else
  printf '%s' "$answer" | jq -r '.SecretBinary' | base64 -d | gunzip >"$sealed"
fi
`;

const DELETE = `answer="$(call DeleteSecret "{\\"SecretId\\":\\"$secret\\",\\"ForceDeleteWithoutRecovery\\":true}")" ||
  echo "slipway: cannot delete first-boot data $secret: $answer" >&2
`;

export function fetchScript({ region, host, secret, proxy }: Place): string {
  const where = `#!/bin/sh
# Join secrets are not in user data, where everybody who may describe the instance can read them: they are a secret that
# the machine's own role may read, once.
set -eu
umask 077
region='${region}'
host='${host}'
secret='${secret}'
${proxyExports(proxy)}`;
  return [where, TOOLS, CALL, FETCH, writeSealed(EXTRACT), DELETE].join('\n');
}
