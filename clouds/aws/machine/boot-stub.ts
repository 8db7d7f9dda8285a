/**
 * User data without secrets: a script that cloud-init runs on every boot, before anything else. On the first boot it
 * fetches the first-boot data with the role of the instance, writes it to a place where cloud-init reads configuration
 * next, and deletes the secret. Only cloud-init supports boothooks, and only it reads them so early.
 */
import { HANDED_OVER_PATH } from '#lib/api/contracts/payload.ts';
import { type Place, proxyExports } from './place.ts';

const HEAD = '#cloud-boothook\n';

export function bootStub(place: Place): Uint8Array {
  const { region, host, secret } = place;
  const where = JSON.stringify({ region, host, secret });
  return Buffer.from(`${HEAD}${SHELL}${proxyExports(place)}${RUN}WHERE = ${where}\n${PYTHON}SLIPWAY\n`);
}

/** Whether user data is such a script. */
export function isBootStub(userData: Uint8Array): boolean {
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
 * Python 3.6 with its standard library: an image may have no AWS CLI, and a curl that cannot sign requests. The file is
 * in the folder of the instance, and the link points to the current instance: another instance created from this disk
 * finds nothing.
 */
const PYTHON = `import base64, gzip, hashlib, hmac, json, os, sys, time, urllib.error, urllib.request

METADATA = "http://169.254.169.254/latest/"
API = "https://%s/" % WHERE["host"]
DATA = "/var/lib/cloud/instance/slipway-first-boot.cfg"
LINK = "${HANDED_OVER_PATH}"
SECONDS = 600


def send(method, url, headers, body=None, proxies=None):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler(proxies))
    request = urllib.request.Request(url, data=body, headers=headers, method=method)
    with opener.open(request, timeout=10) as answer:
        return answer.read().decode()


def credentials():
    token = send("PUT", METADATA + "api/token", {"X-aws-ec2-metadata-token-ttl-seconds": "60"}, proxies={})
    session = {"X-aws-ec2-metadata-token": token}
    roles = METADATA + "meta-data/iam/security-credentials/"
    role = send("GET", roles, session, proxies={}).strip()
    return json.loads(send("GET", roles + role, session, proxies={}))


def digest(data):
    return hashlib.sha256(data).hexdigest()


def call(action, arguments):
    identity = credentials()
    body = json.dumps(dict(arguments, SecretId=WHERE["secret"])).encode()
    now = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    headers = {
        "content-type": "application/x-amz-json-1.1",
        "host": WHERE["host"],
        "x-amz-date": now,
        "x-amz-security-token": identity["Token"],
        "x-amz-target": "secretsmanager." + action,
    }
    # AWS Signature Version 4.
    names = sorted(headers)
    signed = ";".join(names)
    lines = ["POST", "/", ""] + ["%s:%s" % (name, headers[name]) for name in names] + ["", signed, digest(body)]
    scope = [now[:8], WHERE["region"], "secretsmanager", "aws4_request"]
    text = "\\n".join(["AWS4-HMAC-SHA256", now, "/".join(scope), digest("\\n".join(lines).encode())])
    key = ("AWS4" + identity["SecretAccessKey"]).encode()
    for part in scope + [text]:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    headers["authorization"] = "AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s" % (
        identity["AccessKeyId"], "/".join(scope), signed, key.hex())
    return json.loads(send("POST", API, headers, body))


def reason(failure):
    if not isinstance(failure, urllib.error.HTTPError):
        return str(failure)
    return "%s: %s" % (failure, failure.read(500).decode("utf-8", "replace"))


def fetched():
    until = time.monotonic() + SECONDS
    while True:  # the network, the role and the secret come up meanwhile
        try:
            secret = call("GetSecretValue", {})
            if "SecretString" in secret:
                return secret["SecretString"].encode()
            return gzip.decompress(base64.b64decode(secret["SecretBinary"]))
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
    call("DeleteSecret", {"ForceDeleteWithoutRecovery": True})
except Exception as failure:
    print("slipway: cannot delete first-boot data %s: %s" % (WHERE["secret"], reason(failure)), file=sys.stderr)
`;
