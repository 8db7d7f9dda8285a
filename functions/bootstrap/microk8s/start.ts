/** The script that makes a host with the snap a node: it starts or joins the cluster, and labels its Node. */
import { isIP } from 'node:net';
import { DQLITE_PORT, MICROK8S_AGENT_PORT } from '#lib/api/microk8s.ts';
import { quoted } from '#lib/fn/quoted.ts';
import { registered, scriptHead } from '../snap/node.ts';
import { followApi } from './api-port.ts';
import { apiServiceAddress, DATA, type MicroK8sFacts, FOLDER, isControlPlane, startsCluster } from './facts.ts';

export function startScript(facts: MicroK8sFacts): string {
  return [
    scriptHead('microk8s', facts),
    ...(isControlPlane(facts) ? [enoughMemory(), startsCluster(facts) ? '' : followApi(), storePort()] : []),
    startsCluster(facts) ? starting(facts) : joining(facts),
    registered('/snap/microk8s/current/kubectl', `${DATA}/credentials/kubelet.config`, facts),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const READY = `await 'the Kubernetes API of this machine' microk8s kubectl get --raw /readyz\n`;

/** MicroK8s then starts no control plane; the token contains the address to join. */
const enoughMemory = (): string => `if [ -e ${DATA}/var/lock/low-memory-guard.lock ]; then
  echo 'slipway: MicroK8s runs no control plane on a machine with 512 MiB of memory or less' >&2
  exit 1
fi
`;

/** Before any machine joins: a joining machine keeps the port it has. */
const storePort = (): string => `store=${DATA}/var/kubernetes/backend
await 'dqlite' test -s "$store/info.yaml"
if ! grep -q ':${DQLITE_PORT}$' "$store/info.yaml"; then
  grep Address "$store/info.yaml" | sed 's/:19001/:${DQLITE_PORT}/' >"$store/update.yaml"
  snap restart microk8s.daemon-k8s-dqlite
fi
${READY}`;

function starting({ config }: MicroK8sFacts): string {
  const addons = config.addons.map(({ name, args }) => ['microk8s enable', name, ...args.map(quoted)].join(' '));
  return `if ! cmp -s ${FOLDER}/ca.crt ${DATA}/certs/ca.crt; then microk8s refresh-certs ${FOLDER}; fi
${READY}${addons.map((line) => `${line}\n`).join('')}`;
}

/**
 * MicroK8s pins the machine that it joins by the hash of a certificate that is not known before that machine exists. So
 * the joining machine gets the certificate from the endpoint, verifies it with the authority of the cluster, and joins
 * that machine at its own address: all calls of one join must reach the same machine.
 */
function joining(facts: MicroK8sFacts): string {
  const { cluster, config, endpoint, token } = facts;
  const { host } = endpoint;
  const name = isIP(host) === 0 ? `-verify_hostname ${quoted(host)}` : `-verify_ip ${host}`;
  // Several machines may answer there.
  const shared = [apiServiceAddress(cluster), ...[host, ...config.extraSANs].filter((name) => isIP(name) === 4)];
  const others = [...new Set(['127.*', '*:*', '10.152.183.1', ...shared])];
  const worker = isControlPlane(facts) ? '' : ' --worker';
  return `token=${token}
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

# Writes the certificate that is shown at $1 to $2.
shown() {
  timeout 15 openssl s_client -connect "$1:${MICROK8S_AGENT_PORT}" </dev/null 2>/dev/null | openssl x509 -out "$2" 2>/dev/null
}

fingerprint() {
  openssl x509 -noout -fingerprint -sha256 -in "$1" | sed 's/^.*=//; s/://g' | tr A-F a-f
}

addresses() {
  openssl x509 -noout -ext subjectAltName -in "$1" | tr ',' '\\n' | sed -n 's/^ *IP Address://p'
}

join() {
  shown ${quoted(host.includes(':') ? `[${host}]` : host)} "$folder/endpoint.crt" || return 1
  if ! openssl verify -CAfile ${FOLDER}/ca.crt -purpose sslserver ${name} "$folder/endpoint.crt" >/dev/null 2>&1; then
    echo 'slipway: the server at the endpoint does not belong to this cluster' >&2
    return 1
  fi
  wanted="$(fingerprint "$folder/endpoint.crt")"
  for address in $(addresses "$folder/endpoint.crt"); do
    case "$address" in
    ${others.join(' | ')}) continue ;;
    esac
    if shown "$address" "$folder/direct.crt" && [ "$(fingerprint "$folder/direct.crt")" = "$wanted" ]; then
      microk8s join "$address:${MICROK8S_AGENT_PORT}/$token/$wanted"${worker}
      return
    fi
  done
  echo 'slipway: the server at the endpoint does not answer at its own addresses' >&2
  return 1
}

if [ ! -e /var/lib/slipway/microk8s-joined ]; then
  tries=60
  until join; do
    tries=$((tries - 1))
    if [ "$tries" -le 0 ]; then exit 1; fi
    sleep 10
  done
  : >/var/lib/slipway/microk8s-joined
fi
${isControlPlane(facts) ? 'follow_api\n' : ''}# Corrects flags that were taken over from another version.
snap set microk8s "configure=call$$"
snap restart microk8s.daemon-containerd
snap restart microk8s.daemon-kubelite
`;
}
