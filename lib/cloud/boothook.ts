/**
 * User data without secrets: a script that cloud-init runs on every boot, before anything else. On the first boot it
 * fetches the first-boot data with the identity of the machine, writes it to a place where cloud-init reads
 * configuration next, and deletes the secret. Only cloud-init supports boothooks, and only it reads them so early.
 */
import { HANDED_OVER_PATH } from '#lib/api/contracts/payload.ts';
import type { JsonObject } from '#lib/api/json.ts';
import { type Proxy, proxyExports } from './proxy.ts';

const HEAD = '#cloud-boothook\n';

/**
 * @param where  the place of the data, as `WHERE` in Python
 * @param store  Python that defines `read()`, which returns the data, and `remove()`, with `send` and `WHERE`
 */
export function boothook(where: JsonObject, store: string, proxy: Proxy | undefined): Uint8Array {
  const shell = `${HEAD}${SHELL}${proxyExports(proxy)}${RUN}`;
  return Buffer.from(`${shell}WHERE = ${JSON.stringify(where)}\n${BEGINNING}${store}${END}SLIPWAY\n`);
}

/** Whether user data is such a script. */
export function isBoothook(userData: Uint8Array): boolean {
  return Buffer.from(userData).toString().startsWith(HEAD);
}

const SHELL = `#!/bin/sh
# First-boot data is not here, where everybody who may describe the instance can read it: it is a secret that the
# machine's own role may read, once.
`;

// cloud-init itself is written in Python, so Python exists; on Red Hat it has its own path.
const RUN = `exec "$(command -v python3 || echo /usr/libexec/platform-python)" - <<'SLIPWAY'
`;

/**
 * Python 3.6 with its standard library: an image may have no client of its cloud. The file is in the folder of the
 * instance, and the link points to the current instance: another instance created from this disk finds nothing.
 */
const BEGINNING = `import base64, gzip, json, os, sys, time, urllib.error, urllib.request

DATA = "/var/lib/cloud/instance/slipway-first-boot.cfg"
LINK = "${HANDED_OVER_PATH}"
SECONDS = 600


def send(method, url, headers, body=None, proxies=None):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler(proxies))
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    with opener.open(request, timeout=10) as answer:
        return answer.read().decode()


`;

const END = `

def reason(failure):
    if not isinstance(failure, urllib.error.HTTPError):
        return str(failure)
    return "%s: %s" % (failure, failure.read(500).decode("utf-8", "replace"))


def fetched():
    until = time.monotonic() + SECONDS
    while True:  # the network, the role and the secret come up meanwhile
        try:
            return read()
        except Exception as failure:
            if time.monotonic() > until:
                sys.exit("slipway: cannot fetch first-boot data %s: %s" % (WHERE["secret"], reason(failure)))
            time.sleep(5)


if os.path.exists(DATA):
    sys.exit()
data = fetched()
os.umask(0o077)
with open(DATA + ".part", "wb") as file:
    file.write(data)
if not os.path.islink(LINK):
    os.symlink(DATA, LINK)
os.rename(DATA + ".part", DATA)
try:
    remove()
except Exception as failure:
    print("slipway: cannot delete first-boot data %s: %s" % (WHERE["secret"], reason(failure)), file=sys.stderr)
`;
