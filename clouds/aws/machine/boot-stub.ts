/** The script that fetches first-boot data from Secrets Manager with the role of the instance. */
import { boothook } from '#lib/cloud/boothook.ts';
import type { Place } from './place.ts';

export function bootStub({ region, host, secret, proxy }: Place): Uint8Array {
  return boothook({ region, host, secret }, STORE, proxy);
}

/** A curl of the image may not be able to sign requests. */
const STORE = `import hashlib, hmac

METADATA = "http://169.254.169.254/latest/"
API = "https://%s/" % WHERE["host"]


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


def read():
    secret = call("GetSecretValue", {})
    if "SecretString" in secret:
        return secret["SecretString"].encode()
    return gzip.decompress(base64.b64decode(secret["SecretBinary"]))


def remove():
    call("DeleteSecret", {"ForceDeleteWithoutRecovery": True})
`;
